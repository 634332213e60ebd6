package siemload.database;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Where connections to a server lead, and how they are secured, as server and driver say it. Immutable.
 *
 * @param security what keeps others from reading and from answering in the server's place
 * @param protocol the protocol and its version, such as {@code TLSv1.3}; empty where there is none, or nobody tells
 * @param cipher the cipher suite by its name; empty where there is none, or nobody tells
 * @param server which server answered, as it told itself; empty where it did not
 * @param timeZone in which times without a zone are read there; empty where that depends on nothing, or nobody tells
 */
public record Transport(Security security, String protocol, String cipher, String server, String timeZone) {
    /** There is no network between the suite and the target. */
    public static final Transport IN_PROCESS = new Transport(Security.IN_PROCESS, "", "");

    /** Everything can be read, and anybody on the way can answer. */
    public static final Transport PLAIN = new Transport(Security.NONE, "", "");

    /** To a server that does not tell which it is. */
    public Transport(Security security, String protocol, String cipher) {
        this(security, protocol, cipher, "", "");
    }

    /** What keeps others from reading and from answering in the server's place. */
    public enum Security {
        IN_PROCESS("inProcess", ""),
        /** Nothing. */
        NONE("none", "without TLS"),
        /** It is encrypted, but for whoever answered. */
        UNVERIFIED("unverified", "encrypted, but nobody knows with whom: the certificate was not verified"),
        /** The certificate is of a trusted authority, perhaps for another server of it. */
        CERTIFICATE("certificate", "certificate verified, host name not"),
        /** The certificate is of a trusted authority and for the host that was asked for. */
        HOST_NAME("hostName", "certificate and host name verified");

        private final String label;
        private final String words;

        Security(String label, String words) {
            this.label = label;
            this.words = words;
        }

        @JsonValue
        public String label() {
            return label;
        }
    }

    /** The same with what a server tells of itself. */
    public Transport answeredBy(String told, String zone) {
        return new Transport(security, protocol, cipher, told, zone);
    }

    /** Whether somebody on the way could read what is sent, or answer in the server's place. */
    @JsonIgnore
    public boolean isOpenToOthers() {
        return security == Security.NONE || security == Security.UNVERIFIED;
    }

    /** For people; empty where there is nothing to say. */
    public String label() {
        return Stream.of(protocol, cipher, security.words)
                .filter(part -> !part.isEmpty())
                .collect(Collectors.joining(", "));
    }
}
