// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.runtime;

import io.heddle.hbone.netty.HboneClient;
import io.heddle.hbone.netty.HboneServer;
import io.heddle.identity.SpiffeId;
import io.heddle.identity.SvidSource;
import io.heddle.identity.netty.MeshTls;
import io.heddle.internal.admin.ConfigDump;
import io.heddle.internal.inbound.Exposures;
import io.heddle.internal.inbound.PeerRegistry;
import io.heddle.internal.inbound.PlainIngress;
import io.heddle.internal.inbound.TunnelTerminator;
import io.heddle.internal.net.IpAddresses;
import io.heddle.internal.outbound.HostLookup;
import io.heddle.internal.outbound.OutboundConnector;
import io.heddle.internal.route.EndpointStandings;
import io.heddle.internal.route.RouteSettings;
import io.heddle.internal.route.Router;
import io.heddle.internal.state.Workload;
import io.heddle.internal.state.WorkloadIndex;
import io.heddle.internal.telemetry.ConnectionObserver;
import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One start of a mesh, from settings to listening: state, own workload, identity, TLS, outbound,
 * inbound. What a step has made is undone when a later one fails.
 */
final class MeshStart {

  private static final Logger LOG = LoggerFactory.getLogger(MeshStart.class);

  static final int HBONE_PORT = 15008;

  /** From where the kubelet's probes come in an ambient mesh (DESIGN D29). */
  private static final Set<InetAddress> PROBE_ADDRESSES =
      Set.of(literal("169.254.7.127"), literal("fd16:9254:7127:1337:ffff:ffff:ffff:ffff"));

  private static final int RESOLVER_THREADS = 4;
  private static final int RESOLVER_QUEUE = 256;

  /** HBONE reference 1.10: a DNS request. */
  private static final Duration RESOLVER_PATIENCE = Duration.ofSeconds(5);

  /** How long a connection waits for a policy that its workload names (field report: ordering). */
  private static final Duration POLICY_HOLD = Duration.ofSeconds(2);

  private final MeshSettings settings;
  private final Environment environment;
  private final Teardown teardown = new Teardown();

  MeshStart(MeshSettings settings) {
    this.settings = settings;
    Map<String, String> variables = settings.variables();
    this.environment =
        new Environment(variables == null ? System::getenv : variables::get, System::getProperty);
  }

  MeshRuntime run() {
    try {
      return assemble();
    } catch (RuntimeException e) {
      teardown.run();
      throw e;
    }
  }

  private MeshRuntime assemble() {
    Origin origin = origin();
    WorkloadIndex index = origin.index();
    OwnWorkload own = origin.own();
    Workload record = origin.record();
    SpiffeId id = origin.id();
    SvidSource identity = origin.identity();
    EventLoopGroup loops = EventLoops.start(settings.eventLoops());
    teardown.add(
        "event loops",
        () -> loops.shutdownGracefully(0, 5, TimeUnit.SECONDS).await(10, TimeUnit.SECONDS));
    MeshTls tls = MeshTls.builder(identity).build();
    teardown.add("TLS", tls);
    ConnectionObserver observer = new ConnectionObserver(settings.telemetry(), System::nanoTime);

    HboneClient client =
        HboneClient.builder(tls).settings(settings.hbone()).eventLoopGroup(loops).build();
    String network = environment.network(settings.network(), record.network());
    EndpointStandings standings = new EndpointStandings(settings.balancing(), System::nanoTime);
    OutboundConnector connector =
        new OutboundConnector(
            index::current,
            own::now,
            id,
            new Router(routes(network), standings),
            standings,
            client,
            loops,
            hostLookup(),
            observer);
    teardown.add("outbound", () -> connector.close(settings.drainPeriod()));

    Exposures exposures = new Exposures();
    PeerRegistry peers = new PeerRegistry();
    TunnelTerminator terminator =
        new TunnelTerminator(
            index::current,
            own::now,
            id,
            exposures,
            peers,
            observer,
            POLICY_HOLD,
            environment.localhostApplicationTunnel(),
            settings.requiresWaypoint());
    WorkloadIndex.Registration registration =
        index.onPublish(
            (former, next) -> {
              // Whether a peer is a waypoint may hang on any record.
              if (settings.requiresWaypoint() || own.isAffected(former, next)) {
                terminator.policiesChanged();
              }
            });
    teardown.add("policy watch", registration);
    List<InetSocketAddress> listening = listen(record, tls, terminator, loops);
    LOG.info("mesh started: {} listens on {}, TLS by {}", id, listening, tls.description());
    PlainIngress ingress = new PlainIngress(terminator, loops, record.addresses(), PROBE_ADDRESSES);
    teardown.add("plain text", () -> ingress.drain(settings.drainPeriod()));
    ConfigDump dump = new ConfigDump(index::current, id, identity);
    OperatorEndpoints operators = new OperatorEndpoints(loops, teardown);
    operators.serveReadiness(record, own, identity);
    InetSocketAddress admin =
        operators.serveAdmin(
            environment.admin(settings.admin(), settings.isLocal()), dump, own, identity);
    return new MeshRuntime(
        own,
        identity,
        connector,
        terminator,
        exposures,
        settings.servesPlaintext() ? ingress : null,
        peers,
        listening,
        dump,
        admin,
        origin.troubles(),
        teardown);
  }

  private RouteSettings routes(String network) {
    return new RouteSettings(
        network,
        environment.clusterDomain(),
        environment.preferredNamespace(),
        RouteSettings.MESH_PORTS,
        settings.refuseUnknown()
            ? RouteSettings.UnknownDestinations.REFUSE
            : RouteSettings.UnknownDestinations.PASS_THROUGH);
  }

  /** Host names are few, and resolvers block for as long as they like. */
  private HostLookup hostLookup() {
    ThreadPoolExecutor threads =
        new ThreadPoolExecutor(
            RESOLVER_THREADS,
            RESOLVER_THREADS,
            10,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(RESOLVER_QUEUE),
            new DefaultThreadFactory("heddle-resolver", /* daemon= */ true));
    threads.allowCoreThreadTimeOut(true);
    HostLookup lookup = new HostLookup(settings.hostResolver(), threads, RESOLVER_PATIENCE);
    teardown.add("resolver", lookup);
    return lookup;
  }

  private Origin origin() {
    Map<String, String> variables = settings.variables();
    return variables == null
        ? new LocalOrigin(settings, environment, teardown).join()
        : new IstioOrigin(settings, environment, variables, teardown, System::nanoTime).join();
  }

  private List<InetSocketAddress> listen(
      Workload record, MeshTls tls, TunnelTerminator terminator, EventLoopGroup loops) {
    HboneServer server =
        HboneServer.builder(tls, terminator)
            .settings(settings.hbone())
            .eventLoopGroup(loops)
            .build();
    teardown.add("inbound", () -> server.drain(settings.drainPeriod()).await());
    List<InetSocketAddress> listening = new ArrayList<>();
    for (InetAddress address : record.addresses()) {
      InetSocketAddress at = new InetSocketAddress(address, HBONE_PORT);
      try {
        listening.add(server.bind(at).syncUninterruptibly().getNow());
      } catch (Exception e) {
        throw cannotListen(at, e);
      }
    }
    return listening;
  }

  private static InetAddress literal(String address) {
    return Objects.requireNonNull(IpAddresses.parse(address), address);
  }

  private static StartRefusedException cannotListen(InetSocketAddress at, Exception cause) {
    boolean taken = cause instanceof BindException;
    return new StartRefusedException(
        "cannot listen on " + at + ": " + cause.getMessage(),
        taken
            ? "another process serves this workload's HBONE port: a second copy of it, or a node"
                + " proxy that captures this pod (label it istio.io/dataplane-mode: none)"
            : "check that the workload's addresses are addresses of this host",
        cause);
  }
}
