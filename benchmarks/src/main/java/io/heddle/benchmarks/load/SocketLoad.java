// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.benchmarks.load;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.ByteBuffer;

/**
 * Bulk through blocking sockets, to the very servers of a {@link BulkLoad} and a {@link
 * DownloadLoad}. The calling thread reads and writes.
 */
public final class SocketLoad implements AutoCloseable {

  private final Arrivals uploaded;
  private final Socket upload;
  private final Socket download;
  private final byte[] buffer;

  /**
   * Takes two connected sockets, which it closes.
   *
   * @param server whose server counts the uploads
   * @param chunk the size of each write, and the most read at once
   */
  public SocketLoad(BulkLoad server, Socket upload, Socket download, int chunk) {
    this.uploaded = server.arrivals();
    this.upload = upload;
    this.download = download;
    this.buffer = new byte[chunk];
  }

  public Transfer upload(long bytes) throws Exception {
    uploaded.expect(bytes);
    Stopwatch watch = new Stopwatch();
    OutputStream out = upload.getOutputStream();
    for (long left = bytes; left > 0; left -= buffer.length) {
      out.write(buffer, 0, (int) Math.min(left, buffer.length));
    }
    return watch.transferred(bytes, uploaded.await());
  }

  public Transfer download(long bytes) throws IOException {
    Stopwatch watch = new Stopwatch();
    OutputStream out = download.getOutputStream();
    out.write(ByteBuffer.allocate(Long.BYTES).putLong(bytes).array());
    InputStream in = download.getInputStream();
    long left = bytes;
    while (left > 0) {
      int read = in.read(buffer);
      if (read < 0) {
        throw new EOFException(left + " of " + bytes + " bytes are missing");
      }
      left -= read;
    }
    return watch.transferred(bytes, System.nanoTime());
  }

  @Override
  public void close() throws IOException {
    upload.close();
    download.close();
  }
}
