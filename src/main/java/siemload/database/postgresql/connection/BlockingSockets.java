package siemload.database.postgresql.connection;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.channels.SocketChannel;
import javax.net.SocketFactory;

/**
 * Makes sockets that read with one call of the system. A plain socket of Java that ever had a timeout, be it for
 * connecting, asks the system three times for each answer from then on. Made by the driver; thread-safe.
 *
 * <p>A thread that is interrupted while it reads loses its connection.
 */
public final class BlockingSockets extends SocketFactory {

    @Override
    public Socket createSocket() throws IOException {
        return SocketChannel.open().socket();
    }

    @Override
    public Socket createSocket(String host, int port) throws IOException {
        return SocketChannel.open(new InetSocketAddress(host, port)).socket();
    }

    @Override
    public Socket createSocket(InetAddress host, int port) throws IOException {
        return SocketChannel.open(new InetSocketAddress(host, port)).socket();
    }

    @Override
    public Socket createSocket(String host, int port, InetAddress localHost, int localPort) throws IOException {
        return createSocket(InetAddress.getByName(host), port, localHost, localPort);
    }

    @Override
    public Socket createSocket(InetAddress host, int port, InetAddress localHost, int localPort) throws IOException {
        SocketChannel channel = SocketChannel.open().bind(new InetSocketAddress(localHost, localPort));
        channel.connect(new InetSocketAddress(host, port));
        return channel.socket();
    }
}
