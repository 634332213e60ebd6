package siemload.database.querylog;

import java.util.Optional;

/** What strings of SQL stand for. Stateless and thread-safe. */
final class SqlString {
    private SqlString() {}

    /** The value of a string token; empty of bits, and of those whose escapes are told elsewhere in the statement. */
    static Optional<String> value(String token) {
        char first = token.charAt(0);
        return switch (first) {
            case '\'' -> Optional.of(doubled(token, 1));
            case 'n', 'N' -> Optional.of(doubled(token, 2));
            case 'e', 'E' -> escaped(token.substring(2, token.length() - 1));
            case '$' -> {
                int tag = token.indexOf('$', 1) + 1;
                yield Optional.of(token.substring(tag, token.length() - tag));
            }
            default -> Optional.empty();
        };
    }

    private static String doubled(String token, int from) {
        return token.substring(from, token.length() - 1).replace("''", "'");
    }

    /** Of what stands between {@code E'} and the last quote; empty where an escape is none. */
    private static Optional<String> escaped(String inner) {
        StringBuilder value = new StringBuilder();
        int at = 0;
        while (at < inner.length()) {
            char here = inner.charAt(at);
            if (here == '\'') {
                value.append('\'');
                at += 2;
            } else if (here != '\\') {
                value.append(here);
                at++;
            } else {
                int end = escape(inner, at + 1, value);
                if (end < 0) {
                    return Optional.empty();
                }
                at = end;
            }
        }
        return Optional.of(value.toString());
    }

    /** Appends what the escape means, and returns where it ends: negative where it has no meaning. */
    private static int escape(String inner, int at, StringBuilder value) {
        char kind = inner.charAt(at);
        switch (kind) {
            case 'b' -> value.append('\b');
            case 'f' -> value.append('\f');
            case 'n' -> value.append('\n');
            case 'r' -> value.append('\r');
            case 't' -> value.append('\t');
            case 'u' -> {
                return code(inner, at + 1, 4, 16, value);
            }
            case 'U' -> {
                return code(inner, at + 1, 8, 16, value);
            }
            // Bytes, of which several may make one character.
            case 'x', '0', '1', '2', '3', '4', '5', '6', '7' -> {
                return -1;
            }
            default -> value.append(kind);
        }
        return at + 1;
    }

    private static int code(String inner, int from, int digits, int radix, StringBuilder value) {
        if (from + digits > inner.length()) {
            return -1;
        }
        try {
            int code = Integer.parseUnsignedInt(inner.substring(from, from + digits), radix);
            if (!Character.isValidCodePoint(code)) {
                return -1;
            }
            value.appendCodePoint(code);
            return from + digits;
        } catch (NumberFormatException noDigits) {
            return -1;
        }
    }
}
