package siemload.database;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A port that takes one connection without encryption, keeps what it is told, and answers nothing of use. */
public final class TlsSocket implements AutoCloseable {
    private static final int PATIENCE_MILLIS = 2_000;

    private final ServerSocket socket;
    private final String answer;
    private final CompletableFuture<String> told;

    private TlsSocket(ServerSocket socket, String answer) {
        this.socket = socket;
        this.answer = answer;
        this.told = CompletableFuture.supplyAsync(this::listen, task -> new Thread(task, "tls").start());
    }

    /** One that knows no encryption, and gives this answer to whatever it is told first. */
    public static TlsSocket plain(String answer) throws IOException {
        return new TlsSocket(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()), answer);
    }

    public int port() {
        return socket.getLocalPort();
    }

    /** What came. */
    public String told() throws InterruptedException, ExecutionException, TimeoutException {
        return told.get(20, TimeUnit.SECONDS);
    }

    private String listen() {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        try (Socket client = socket.accept()) {
            client.setSoTimeout(PATIENCE_MILLIS);
            byte[] first = new byte[10_000];
            text.write(first, 0, Math.max(0, client.getInputStream().read(first)));
            if (!answer.isEmpty()) {
                client.getOutputStream().write(answer.getBytes(StandardCharsets.ISO_8859_1));
                client.getInputStream().transferTo(text);
            }
        } catch (IOException ended) {
            // By the other side, which is what the tests are about.
        }
        return text.toString(StandardCharsets.ISO_8859_1);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
