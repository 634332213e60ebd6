package siemload.config;

/** Names that servers allow, of what siemload makes there or lies in. Stateless. */
final class ServerNames {
    static final ValueType<String> DATABASE = matching(
            "[A-Za-z0-9_-]{1,63}",
            "name of letters, digits, - and _",
            "a database (allowed: up to 63 letters, digits, - and _)");

    private ServerNames() {}

    private static ValueType<String> matching(String pattern, String allowed, String of) {
        return ValueType.of(allowed, "siemload", text -> {
            if (!text.matches(pattern)) {
                throw new IllegalArgumentException("'" + text + "' is no name of " + of);
            }
            return text;
        });
    }
}
