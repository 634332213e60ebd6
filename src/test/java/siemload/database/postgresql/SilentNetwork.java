package siemload.database.postgresql;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import siemload.database.ServerAddress;

/** A way to a server that can fall silent: whatever is sent over connections of before is then swallowed. */
final class SilentNetwork implements AutoCloseable {
    private final ServerSocket entrance;
    private final int exit;
    private volatile int silences;
    private volatile int silentBefore;

    SilentNetwork(ServerAddress server) {
        exit = Integer.parseInt(server.url().replaceAll(".*:(\\d+)/.*", "$1"));
        try {
            entrance = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        start(this::accept);
    }

    ServerAddress through(ServerAddress server) {
        String url = server.url().replaceAll(":\\d+/", ":" + entrance.getLocalPort() + "/");
        return new ServerAddress(url, server.user(), server.password());
    }

    /** Cuts all connections there are, without telling anybody. */
    void fallSilent() {
        silentBefore = ++silences;
    }

    /** Those of before can be used again that had nothing to say meanwhile. */
    void speakAgain() {
        silentBefore = 0;
    }

    @Override
    public void close() throws IOException {
        entrance.close();
    }

    private void accept() {
        try {
            while (true) {
                Socket client = entrance.accept();
                Socket server = new Socket(InetAddress.getLoopbackAddress(), exit);
                int birth = silences;
                start(() -> forward(client, server, birth));
                start(() -> forward(server, client, birth));
            }
        } catch (IOException closed) {
            // The end of the test.
        }
    }

    private void forward(Socket from, Socket to, int birth) {
        byte[] bytes = new byte[8192];
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int n = in.read(bytes); n >= 0; n = in.read(bytes)) {
                if (birth >= silentBefore) {
                    out.write(bytes, 0, n);
                }
            }
        } catch (IOException closed) {
            // One side has let go.
        }
    }

    private static void start(Runnable task) {
        Thread thread = new Thread(task, "silent-network");
        thread.setDaemon(true);
        thread.start();
    }
}
