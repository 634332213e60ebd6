package siemload.database;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import siemload.database.Target.Transport;
import siemload.database.Target.Transport.Security;

/**
 * A root, an authority below it, and what that one certified: a server that is {@code localhost}. They are in {@code tls.p12}, which
 * keytool made: {@code root} and {@code stranger}, {@code middle} signed by the root, {@code server} by the middle. Immutable.
 *
 * @param root the file of the root
 * @param strangeRoot the file of another root
 * @param chain the file of the server's certificate and of the authority's that signed it
 * @param keyFile the file of the server's private key, which only its owner may read
 * @param key the same
 * @param certificates that of the server, and those above it
 * @param ofClient for clients in this process that trust the root
 */
@SuppressWarnings("ArrayRecordComponent") // Never compared.
public record TestCertificates(
        Path root,
        Path strangeRoot,
        Path chain,
        Path keyFile,
        PrivateKey key,
        X509Certificate[] certificates,
        SSLContext ofClient) {

    private static final TestCertificates MADE = read();

    /** Those of this process. */
    public static TestCertificates get() {
        return MADE;
    }

    /** Fails where a connection is not encrypted by today's TLS, or another thing was verified. */
    public static void assertEncrypted(Transport transport, Security verified) {
        assertThat(transport.security()).isEqualTo(verified);
        assertThat(transport.protocol()).isEqualTo("TLSv1.3");
        assertThat(transport.cipher()).startsWith("TLS_");
    }

    private static TestCertificates read() {
        char[] password = "only-for-tests".toCharArray();
        try {
            Path directory = Files.createTempDirectory(Files.createDirectories(Path.of("target")), "tls")
                    .toAbsolutePath();
            KeyStore keys =
                    KeyStore.getInstance(Path.of("src/test/resources/tls.p12").toFile(), password);
            PrivateKey key = (PrivateKey) keys.getKey("server", password);
            Certificate[] chain = keys.getCertificateChain("server");
            Path keyFile = Files.createFile(
                    directory.resolve("server.key"),
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            KeyStore trusted = KeyStore.getInstance("PKCS12");
            trusted.load(null, password);
            trusted.setCertificateEntry("root", keys.getCertificate("root"));
            TrustManagerFactory managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            managers.init(trusted);
            SSLContext ofClient = SSLContext.getInstance("TLS");
            ofClient.init(null, managers.getTrustManagers(), null);
            return new TestCertificates(
                    pem(directory.resolve("root.crt"), keys.getCertificate("root")),
                    pem(directory.resolve("stranger.crt"), keys.getCertificate("stranger")),
                    pem(directory.resolve("server.crt"), chain[0], chain[1]),
                    Files.writeString(keyFile, block("PRIVATE KEY", key.getEncoded())),
                    key,
                    Stream.of(chain).map(X509Certificate.class::cast).toArray(X509Certificate[]::new),
                    ofClient);
        } catch (IOException | GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }

    private static Path pem(Path file, Certificate... certificates) throws IOException, GeneralSecurityException {
        StringBuilder text = new StringBuilder();
        for (Certificate certificate : certificates) {
            text.append(block("CERTIFICATE", certificate.getEncoded()));
        }
        return Files.writeString(file, text);
    }

    private static String block(String kind, byte[] content) {
        String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
        return "-----BEGIN " + kind + "-----\n" + text + "\n-----END " + kind + "-----\n";
    }
}
