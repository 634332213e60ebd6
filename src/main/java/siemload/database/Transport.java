package siemload.database;

/**
 * How a connection to a server is secured, as server and driver say it. Immutable.
 *
 * @param security what keeps others from reading and from answering in the server's place
 * @param protocol the protocol and its version, such as {@code TLSv1.3}; empty where there is none, or nobody tells
 * @param cipher the cipher suite by its name; empty where there is none, or nobody tells
 */
public record Transport(Security security, String protocol, String cipher) {
    /** There is no network between the suite and the target. */
    public static final Transport IN_PROCESS = new Transport(Security.IN_PROCESS, "", "");

    /** Everything can be read, and anybody on the way can answer. */
    public static final Transport PLAIN = new Transport(Security.NONE, "", "");

    /** What keeps others from reading and from answering in the server's place. */
    public enum Security {
        IN_PROCESS("inProcess"),
        /** Nothing. */
        NONE("none"),
        /** It is encrypted, but for whoever answered. */
        UNVERIFIED("unverified"),
        /** The certificate is of a trusted authority, perhaps for another server of it. */
        CERTIFICATE("certificate"),
        /** The certificate is of a trusted authority and for the host that was asked for. */
        HOST_NAME("hostName");

        private final String label;

        Security(String label) {
            this.label = label;
        }

        /** Its name in files. */
        public String label() {
            return label;
        }
    }

    /** Whether somebody on the way could read what is sent, or answer in the server's place. */
    public boolean isOpenToOthers() {
        return switch (security) {
            case NONE, UNVERIFIED -> true;
            case IN_PROCESS, CERTIFICATE, HOST_NAME -> false;
        };
    }
}
