// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.state;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * An immutable hash map whose changed copies share nearly everything with their origin: a change
 * costs the path from the root to one leaf, whatever the size. So a snapshot of 100 000 workloads
 * can follow another at the price of the one workload that differs.
 *
 * <p>A compressed hash-array mapped trie. Iteration follows the hashes: it depends on the keys, not
 * on the order of insertion.
 *
 * @param <K> the keys
 * @param <V> the values, never null
 */
final class PersistentMap<K, V> {

  private static final int BITS = 5;
  private static final int MASK = (1 << BITS) - 1;
  private static final int LAST_SHIFT = 30;
  private static final PersistentMap<?, ?> EMPTY =
      new PersistentMap<>(new Branch(0, 0, new Object[0]), 0);

  private final Node root;
  private final int size;

  private PersistentMap(Node root, int size) {
    this.root = root;
    this.size = size;
  }

  @SuppressWarnings("unchecked") // Nothing is in it, so it is of every type.
  static <K, V> PersistentMap<K, V> empty() {
    return (PersistentMap<K, V>) EMPTY;
  }

  int size() {
    return size;
  }

  boolean isEmpty() {
    return size == 0;
  }

  @SuppressWarnings("unchecked") // Only with() puts values in, and it takes V.
  @Nullable V get(K key) {
    return (V) root.find(key, hash(key), 0);
  }

  boolean containsKey(K key) {
    return get(key) != null;
  }

  PersistentMap<K, V> with(K key, V value) {
    int newSize = containsKey(key) ? size : size + 1;
    return new PersistentMap<>(root.with(key, value, hash(key), 0), newSize);
  }

  PersistentMap<K, V> without(K key) {
    if (!containsKey(key)) {
      return this;
    }
    return size == 1 ? empty() : new PersistentMap<>(root.without(key, hash(key), 0), size - 1);
  }

  @SuppressWarnings("unchecked") // Only with() puts entries in, and it takes K and V.
  void forEach(BiConsumer<? super K, ? super V> action) {
    root.forEach((key, value) -> action.accept((K) key, (V) value));
  }

  List<V> values() {
    List<V> values = new ArrayList<>(size);
    forEach((key, value) -> values.add(value));
    return values;
  }

  private static int hash(Object key) {
    // Fibonacci hashing: the addresses of one network differ in a few low bits only.
    int h = key.hashCode() * 0x9E3779B9;
    return h ^ (h >>> 16);
  }

  private sealed interface Node permits Branch, Collision {
    @Nullable Object find(Object key, int hash, int shift);

    Node with(Object key, Object value, int hash, int shift);

    /** Of a node that holds the key and something else. */
    Node without(Object key, int hash, int shift);

    void forEach(BiConsumer<Object, Object> action);

    /** Whether it holds exactly one entry, which is then its first two slots. */
    boolean isSoleEntry();

    Object[] slots();
  }

  /**
   * Up to 32 entries and sub-nodes, by the next five bits of the hash.
   *
   * @param entryBits which positions hold an entry
   * @param nodeBits which positions hold a sub-node
   * @param slots key and value of each entry, then the sub-nodes, each in order of position
   */
  @SuppressWarnings("ArrayRecordComponent") // Never compared as a value.
  private record Branch(int entryBits, int nodeBits, Object[] slots) implements Node {

    @Override
    public @Nullable Object find(Object key, int hash, int shift) {
      int bit = bit(hash, shift);
      if ((entryBits & bit) != 0) {
        int i = entryIndex(bit);
        return slots[i].equals(key) ? slots[i + 1] : null;
      }
      return (nodeBits & bit) == 0
          ? null
          : ((Node) slots[nodeIndex(bit)]).find(key, hash, shift + BITS);
    }

    @Override
    public Node with(Object key, Object value, int hash, int shift) {
      int bit = bit(hash, shift);
      if ((nodeBits & bit) != 0) {
        int i = nodeIndex(bit);
        return replaced(i, ((Node) slots[i]).with(key, value, hash, shift + BITS));
      }
      int i = entryIndex(bit);
      if ((entryBits & bit) == 0) {
        return new Branch(entryBits | bit, nodeBits, spliced(i, 0, i, key, value));
      }
      if (slots[i].equals(key)) {
        return replaced(i + 1, value);
      }
      Node pair = pair(slots[i], slots[i + 1], key, value, hash, shift + BITS);
      return new Branch(entryBits & ~bit, nodeBits | bit, spliced(i, 2, nodeIndex(bit), pair));
    }

    @Override
    public Node without(Object key, int hash, int shift) {
      int bit = bit(hash, shift);
      if ((entryBits & bit) != 0) {
        int i = entryIndex(bit);
        return new Branch(entryBits & ~bit, nodeBits, spliced(i, 2, i));
      }
      int i = nodeIndex(bit);
      Node rest = ((Node) slots[i]).without(key, hash, shift + BITS);
      if (!rest.isSoleEntry()) {
        return replaced(i, rest);
      }
      // A lone entry moves up, so that equal contents have one form and paths stay short.
      Object[] entry = rest.slots();
      return new Branch(
          entryBits | bit, nodeBits & ~bit, spliced(i, 1, entryIndex(bit), entry[0], entry[1]));
    }

    @Override
    public boolean isSoleEntry() {
      return nodeBits == 0 && slots.length == 2;
    }

    @Override
    public void forEach(BiConsumer<Object, Object> action) {
      int nodes = 2 * Integer.bitCount(entryBits);
      for (int i = 0; i < nodes; i += 2) {
        action.accept(slots[i], slots[i + 1]);
      }
      for (int i = nodes; i < slots.length; i++) {
        ((Node) slots[i]).forEach(action);
      }
    }

    private int entryIndex(int bit) {
      return 2 * Integer.bitCount(entryBits & (bit - 1));
    }

    private int nodeIndex(int bit) {
      return 2 * Integer.bitCount(entryBits) + Integer.bitCount(nodeBits & (bit - 1));
    }

    private Branch replaced(int slot, Object value) {
      Object[] copy = slots.clone();
      copy[slot] = value;
      return new Branch(entryBits, nodeBits, copy);
    }

    /** The slots without {@code removed} of them, and with others; both places count in the old. */
    private Object[] spliced(int removeAt, int removed, int insertAt, Object... inserted) {
      Object[] result = new Object[slots.length - removed + inserted.length];
      int n = 0;
      for (int i = 0; i <= slots.length; i++) {
        if (i == insertAt) {
          System.arraycopy(inserted, 0, result, n, inserted.length);
          n += inserted.length;
        }
        if (i < slots.length && (i < removeAt || i >= removeAt + removed)) {
          result[n++] = slots[i];
        }
      }
      return result;
    }

    private static int bit(int hash, int shift) {
      return 1 << ((hash >>> shift) & MASK);
    }

    private static Node pair(Object k1, Object v1, Object k2, Object v2, int hash2, int shift) {
      if (shift > LAST_SHIFT) {
        return new Collision(new Object[] {k1, v1, k2, v2});
      }
      int bit1 = bit(hash(k1), shift);
      int bit2 = bit(hash2, shift);
      if (bit1 == bit2) {
        return new Branch(0, bit1, new Object[] {pair(k1, v1, k2, v2, hash2, shift + BITS)});
      }
      Object[] inOrder =
          Integer.compareUnsigned(bit1, bit2) < 0
              ? new Object[] {k1, v1, k2, v2}
              : new Object[] {k2, v2, k1, v1};
      return new Branch(bit1 | bit2, 0, inOrder);
    }
  }

  /**
   * Entries whose hashes are equal in every bit.
   *
   * @param slots key and value of each entry
   */
  @SuppressWarnings("ArrayRecordComponent") // Never compared as a value.
  private record Collision(Object[] slots) implements Node {

    @Override
    public @Nullable Object find(Object key, int hash, int shift) {
      int i = indexOf(key);
      return i < 0 ? null : slots[i + 1];
    }

    @Override
    public Node with(Object key, Object value, int hash, int shift) {
      int i = indexOf(key);
      int at = i < 0 ? slots.length : i;
      Object[] copy = Arrays.copyOf(slots, i < 0 ? slots.length + 2 : slots.length);
      copy[at] = key;
      copy[at + 1] = value;
      return new Collision(copy);
    }

    @Override
    public Node without(Object key, int hash, int shift) {
      int i = indexOf(key);
      Object[] copy = Arrays.copyOf(slots, slots.length - 2);
      System.arraycopy(slots, i + 2, copy, i, slots.length - i - 2);
      return new Collision(copy);
    }

    @Override
    public boolean isSoleEntry() {
      return slots.length == 2;
    }

    @Override
    public void forEach(BiConsumer<Object, Object> action) {
      for (int i = 0; i < slots.length; i += 2) {
        action.accept(slots[i], slots[i + 1]);
      }
    }

    private int indexOf(Object key) {
      for (int i = 0; i < slots.length; i += 2) {
        if (slots[i].equals(key)) {
          return i;
        }
      }
      return -1;
    }
  }
}
