package siemload.load.kubernetes;

import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.Closeable;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/**
 * What a pod is told. Over this kind of connection, an end of the input alone cannot be told: it is the end of the connection. And
 * where the connection has failed, the client says so by an exception of its own, which is one of the stream here. Used by one
 * thread.
 */
final class PodInput extends FilterOutputStream {
    private final Closeable connection;

    /**
     * Writes to a connection.
     *
     * @param input of the connection
     * @param connection ends with the input
     */
    PodInput(OutputStream input, Closeable connection) {
        super(input);
        this.connection = connection;
    }

    /** Something that the client does with the connection. */
    @FunctionalInterface
    private interface Step {
        void run() throws IOException;
    }

    @Override
    public void write(int single) throws IOException {
        onConnection(() -> out.write(single));
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        onConnection(() -> out.write(bytes, offset, length));
    }

    @Override
    public void flush() throws IOException {
        onConnection(out::flush);
    }

    @Override
    public void close() throws IOException {
        try {
            onConnection(super::close);
        } finally {
            onConnection(connection::close);
        }
    }

    private static void onConnection(Step step) throws IOException {
        try {
            step.run();
        } catch (KubernetesClientException | IllegalStateException failed) {
            throw new IOException("the connection has failed: " + Refusal.of(failed), failed);
        }
    }
}
