package siemload.config;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** An address of this machine to listen at: {@code host:port}, {@code [IPv6]:port}, or a port of the loopback address. */
final class ListenAddress {
    static final ValueType<InetSocketAddress> TYPE = ValueType.of(
            "host:port, for instance 127.0.0.1:8089; port 0 for any free one",
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            ListenAddress::parse);

    private static final Pattern FORM = Pattern.compile("(?:(\\[[0-9A-Fa-f:.%]+]|[^:\\[\\]]+):)?([0-9]{1,5})");
    private static final int MOST = 65_535;

    private ListenAddress() {}

    private static InetSocketAddress parse(String text) {
        Matcher form = FORM.matcher(text);
        if (!form.matches() || Integer.parseInt(form.group(2)) > MOST) {
            throw new IllegalArgumentException("'" + text + "' is not host:port with a port up to " + MOST
                    + " (write for example 127.0.0.1:8089)");
        }
        String host = form.group(1) == null ? "127.0.0.1" : form.group(1);
        try {
            return new InetSocketAddress(InetAddress.getByName(host), Integer.parseInt(form.group(2)));
        } catch (UnknownHostException unknown) {
            throw new IllegalArgumentException("the host of '" + text + "' is not known here", unknown);
        }
    }
}
