// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity.internal.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.testing.ProjectedVolume;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FileReaderTest {

  private static final Map<String, String> OLD =
      Map.of("key", "old key", "chain", "old chain", "roots", "old roots");
  private static final Map<String, String> NEW =
      Map.of("key", "new key", "chain", "new chain", "roots", "new roots");

  @TempDir Path directory;

  @Test
  @DisplayName("a publication between two files is noticed, and the next reading is all new")
  void republishedWhileReading() throws Exception {
    ProjectedVolume volume = new ProjectedVolume(directory);
    volume.publish(OLD);
    List<Path> opened = new ArrayList<>();
    FileReader reader =
        reader(
            file -> {
              opened.add(file.getFileName());
              SeekableByteChannel channel = Files.newByteChannel(file);
              if (opened.size() == 3) {
                volume.publish(NEW);
              }
              return channel;
            });

    assertThatThrownBy(reader::read)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("republished");

    try (FileContents contents = reader.read()) {
      assertThat(contents.key()).asString().isEqualTo("new key");
      assertThat(contents.chain()).asString().isEqualTo("new chain");
      assertThat(contents.roots()).asString().isEqualTo("new roots");
    }
  }

  @Test
  @DisplayName("ID-092 what was read is overwritten when its user is done")
  void wipedAfterUse() throws Exception {
    new ProjectedVolume(directory).publish(OLD);
    byte[] key;
    try (FileContents contents = reader(Files::newByteChannel).read()) {
      key = contents.key();
      assertThat(key).asString().isEqualTo("old key");
    }
    assertThat(key).hasSize(7).containsOnly(0);
  }

  @Test
  @DisplayName("ID-092 what was read is overwritten when another file cannot be read")
  void wipedAfterFailure() throws Exception {
    new ProjectedVolume(directory).publish(OLD);
    List<byte[]> arrays = new ArrayList<>();
    FileReader reader =
        reader(
            file -> {
              if (file.endsWith("roots")) {
                throw new IOException("no roots today");
              }
              return new Remembering(Files.newByteChannel(file), arrays);
            });

    assertThatThrownBy(reader::read).hasMessage("no roots today");

    assertThat(arrays).hasSize(2).allSatisfy(array -> assertThat(array).containsOnly(0));
    assertThat(arrays.get(0)).hasSize(7);
  }

  private FileReader reader(FileReader.Opener opener) {
    CertificateFiles files =
        new CertificateFiles(
            directory.resolve("key"), directory.resolve("chain"), directory.resolve("roots"));
    return new FileReader(files, new FileModes(FileModes.Strictness.WARN), opener);
  }

  /** Remembers the arrays that were read into. */
  private record Remembering(SeekableByteChannel channel, List<byte[]> arrays)
      implements SeekableByteChannel {

    @Override
    public int read(ByteBuffer target) throws IOException {
      arrays.add(target.array());
      int read = channel.read(target);
      assertThat(target.array()).contains((byte) 'o');
      return read;
    }

    @Override
    public int write(ByteBuffer source) {
      throw new UnsupportedOperationException("reading only");
    }

    @Override
    public long position() throws IOException {
      return channel.position();
    }

    @Override
    public SeekableByteChannel position(long newPosition) throws IOException {
      return channel.position(newPosition);
    }

    @Override
    public long size() throws IOException {
      return channel.size();
    }

    @Override
    public SeekableByteChannel truncate(long size) {
      throw new UnsupportedOperationException("reading only");
    }

    @Override
    public boolean isOpen() {
      return channel.isOpen();
    }

    @Override
    public void close() throws IOException {
      channel.close();
    }
  }
}
