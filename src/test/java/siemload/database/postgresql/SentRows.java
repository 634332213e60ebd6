package siemload.database.postgresql;

import java.io.ByteArrayOutputStream;
import java.lang.reflect.Proxy;
import java.sql.SQLException;
import java.util.List;
import org.postgresql.copy.CopyIn;
import siemload.database.postgresql.PostgresqlBulkLoad.CopyBuffer;

/** What a server would get of rows. */
final class SentRows {
    private SentRows() {}

    static byte[] of(List<CopyBuffer> buffers) throws SQLException {
        ByteArrayOutputStream sent = new ByteArrayOutputStream();
        CopyIn copy = (CopyIn) Proxy.newProxyInstance(
                CopyIn.class.getClassLoader(), new Class<?>[] {CopyIn.class}, (proxy, method, arguments) -> {
                    sent.write((byte[]) arguments[0], (int) arguments[1], (int) arguments[2]);
                    return null;
                });
        for (CopyBuffer buffer : buffers) {
            buffer.send(copy);
        }
        return sent.toByteArray();
    }
}
