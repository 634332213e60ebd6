package siemload.database;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import siemload.database.Transport.Security;

/**
 * A root, an authority below it, and what that one certified: a server that is {@code localhost}. Made anew for each process of the tests by
 * the program of the JDK. Thread-safe.
 */
public final class TestCertificates {
    /** The name here of a server that is called {@code localhost}. */
    public static final String SERVER = "server";

    private static final char[] PASSWORD = "only-for-tests".toCharArray();
    private static final String ROOT = "root";

    private static TestCertificates made;

    private final Path directory;
    private final KeyStore keys;

    private TestCertificates(Path directory) throws IOException, GeneralSecurityException {
        this.directory = directory;
        Path all = directory.resolve("all.p12");
        generate(all, ROOT, "-dname", "CN=siemload test root", "-ext", "bc:c=ca:true");
        generate(all, "middle", "-dname", "CN=siemload test authority", "-ext", "bc:c=ca:true", "-signer", ROOT);
        generate(all, SERVER, "-dname", "CN=localhost", "-ext", "san=dns:localhost", "-signer", "middle");
        generate(all, "stranger", "-dname", "CN=a root that nobody trusts", "-ext", "bc:c=ca:true");
        this.keys = KeyStore.getInstance(all.toFile(), PASSWORD);
    }

    /** Fails where a connection is not encrypted by today's TLS, or another thing was verified. */
    public static void assertEncrypted(Transport transport, Security verified) {
        assertThat(transport.security()).isEqualTo(verified);
        assertThat(transport.protocol()).isEqualTo("TLSv1.3");
        assertThat(transport.cipher()).startsWith("TLS_");
    }

    /** Those of this process. */
    public static synchronized TestCertificates get() {
        if (made == null) {
            try {
                made = new TestCertificates(
                        Files.createTempDirectory(Files.createDirectories(Path.of("target")), "tls"));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (GeneralSecurityException e) {
                throw new AssertionError(e);
            }
        }
        return made;
    }

    private static void generate(Path store, String name, String... more) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-J-XX:TieredStopAtLevel=1",
                "-genkeypair",
                "-keystore",
                store.toString(),
                "-storepass",
                String.valueOf(PASSWORD),
                "-alias",
                name,
                "-keyalg",
                "EC",
                "-groupname",
                "secp256r1"));
        command.addAll(List.of(more));
        Process keytool = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        try {
            if (keytool.waitFor() != 0) {
                throw new IOException("keytool: " + said);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }

    /** The file of the root. */
    public Path root() {
        return pem("root.crt", List.of(certificate(ROOT)));
    }

    /** The file of another root. */
    public Path strangeRoot() {
        return pem("stranger.crt", List.of(certificate("stranger")));
    }

    /** The file of the server's certificate and of the authority's that signed it. */
    public Path chain() {
        return pem("server.crt", Arrays.asList(certificates(SERVER)).subList(0, 2));
    }

    /** The private key of this server. */
    public PrivateKey privateKey(String name) {
        try {
            return (PrivateKey) keys.getKey(name, PASSWORD);
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }

    /** The certificate of this server, and those above it. */
    public X509Certificate[] certificates(String name) {
        try {
            return Arrays.stream(keys.getCertificateChain(name))
                    .map(X509Certificate.class::cast)
                    .toArray(X509Certificate[]::new);
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }

    /** The file of the server's private key, which only its owner may read. */
    public Path key() {
        try {
            Path file = directory.resolve("server.key").toAbsolutePath();
            byte[] key = privateKey(SERVER).getEncoded();
            Files.deleteIfExists(file);
            Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            return Files.writeString(file, block("PRIVATE KEY", key));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** For clients in this process that trust the root. */
    public SSLContext ofClient() {
        try {
            TrustManagerFactory managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            managers.init(trusted());
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, managers.getTrustManagers(), null);
            return context;
        } catch (IOException | GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }

    private KeyStore trusted() throws IOException, GeneralSecurityException {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, PASSWORD);
        trusted.setCertificateEntry(ROOT, certificate(ROOT));
        return trusted;
    }

    private Certificate certificate(String name) {
        try {
            return keys.getCertificate(name);
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }

    private Path pem(String name, List<? extends Certificate> certificates) {
        StringBuilder text = new StringBuilder();
        try {
            for (Certificate certificate : certificates) {
                text.append(block("CERTIFICATE", certificate.getEncoded()));
            }
            return Files.writeString(directory.resolve(name).toAbsolutePath(), text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }

    private static String block(String kind, byte[] content) {
        String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
        return "-----BEGIN " + kind + "-----\n" + text + "\n-----END " + kind + "-----\n";
    }
}
