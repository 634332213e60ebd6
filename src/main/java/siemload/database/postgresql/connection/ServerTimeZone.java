package siemload.database.postgresql.connection;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import org.postgresql.Driver;
import org.postgresql.PGProperty;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.PGStream;
import org.postgresql.core.ProtocolVersion;
import org.postgresql.core.SocketFactoryFactory;
import org.postgresql.core.v3.ConnectionFactoryImpl;
import org.postgresql.core.v3.QueryExecutorImpl;
import org.postgresql.ds.PGSimpleDataSource;
import org.postgresql.jdbc.GSSEncMode;
import org.postgresql.jdbc.SslMode;
import org.postgresql.util.HostSpec;

/**
 * The time zone that a server gives to a session which asks for none: that of the role, the database or the server, or of the url's
 * {@code options}. The driver asks for Java's zone in its first packet, whatever the url says, and no statement tells what would hold
 * without that. So one session is opened by the driver's own steps, which are private to it, but without the zone. Stateless.
 */
final class ServerTimeZone {
    private static final String ASKED_FOR = "TimeZone=";
    private static final int WAIT_MILLIS = 20_000;
    private static final int SEND_BYTES = 8_192;

    private ServerTimeZone() {}

    /**
     * Asks the server that this connection has found.
     *
     * @param source made the connection
     * @return empty where a session cannot be opened like this
     */
    static Optional<String> of(Connection connection, PGSimpleDataSource source) {
        try {
            HostSpec host =
                    connection.unwrap(BaseConnection.class).getQueryExecutor().getHostSpec();
            return Optional.ofNullable(ask(host, properties(source)));
        } catch (SQLException | IOException | ReflectiveOperationException unable) {
            return Optional.empty();
        }
    }

    private static Properties properties(PGSimpleDataSource source) throws SQLException {
        Properties properties = new Properties(Driver.parseURL(source.getURL(), null));
        if (source.getUser() != null) {
            PGProperty.USER.set(properties, source.getUser());
        }
        if (source.getPassword() != null) {
            PGProperty.PASSWORD.set(properties, source.getPassword());
        }
        return properties;
    }

    @SuppressWarnings("NullAway") // The driver's own steps tell no nullness.
    private static String ask(HostSpec host, Properties properties)
            throws SQLException, IOException, ReflectiveOperationException {
        String user = PGProperty.USER.getOrDefault(properties);
        PGStream stream =
                new PGStream(SocketFactoryFactory.getSocketFactory(properties), host, WAIT_MILLIS, SEND_BYTES);
        try {
            stream.setNetworkTimeout(WAIT_MILLIS);
            stream = (PGStream) call(
                    "enableGSSEncrypted", stream, GSSEncMode.of(properties), host.getHost(), properties, WAIT_MILLIS);
            if (!stream.isGssEncrypted()) {
                stream = (PGStream) call("enableSSL", stream, SslMode.of(properties), properties, WAIT_MILLIS);
            }
            List<?> asked = (List<?>)
                    call("getParametersForStartup", user, PGProperty.PG_DBNAME.getOrDefault(properties), properties);
            asked.removeIf(parameter -> parameter.toString().startsWith(ASKED_FOR));
            Object unused = call("sendStartupPacket", stream, ProtocolVersion.v3_0, asked);
            unused = call("doAuthentication", stream, host.getHost(), user, properties);
            QueryExecutorImpl session = new QueryExecutorImpl(stream, WAIT_MILLIS, properties);
            String zone = session.getParameterStatus("TimeZone");
            session.close();
            return zone;
        } finally {
            stream.close();
        }
    }

    @SuppressWarnings("NullAway")
    private static Object call(String step, Object... arguments) throws ReflectiveOperationException {
        Method method = Arrays.stream(ConnectionFactoryImpl.class.getDeclaredMethods())
                .filter(one -> one.getName().equals(step))
                .findFirst()
                .orElseThrow(() -> new NoSuchMethodException(step));
        method.setAccessible(true);
        try {
            return method.invoke(null, arguments);
        } catch (InvocationTargetException refused) {
            throw new ReflectiveOperationException(step, refused.getCause());
        }
    }
}
