package siemload.event;

/** IPv6 addresses as text in the form of RFC 5952: lower case, no leading zeros, the longest run of zeros as {@code ::}. */
final class Ip6Text {
    private Ip6Text() {}

    static void append(StringBuilder text, long high, long low) {
        int runStart = -1;
        int runLength = 1;
        for (int i = 0; i < 8; i++) {
            int length = 0;
            while (i + length < 8 && group(high, low, i + length) == 0) {
                length++;
            }
            if (length > runLength) {
                runStart = i;
                runLength = length;
            }
        }
        for (int i = 0; i < 8; i++) {
            if (i == runStart) {
                text.append("::");
                i += runLength - 1;
            } else {
                boolean afterRun = runStart >= 0 && i == runStart + runLength;
                if (i > 0 && !afterRun) {
                    text.append(':');
                }
                text.append(Integer.toHexString(group(high, low, i)));
            }
        }
    }

    static long longAt(byte[] bytes, int offset) {
        long value = 0;
        for (int i = offset; i < offset + 8; i++) {
            value = value << 8 | (bytes[i] & 255);
        }
        return value;
    }

    private static int group(long high, long low, int index) {
        long half = index < 4 ? high : low;
        return (int) ((half >>> (48 - 16 * (index & 3))) & 0xFFFF);
    }
}
