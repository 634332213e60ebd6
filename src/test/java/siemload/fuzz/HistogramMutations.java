package siemload.fuzz;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/** Breaks what is compressed in a line of a histogram log, whose checksum would betray all else. Stateless. */
final class HistogramMutations {
    private static final Pattern HISTOGRAM = Pattern.compile("HISTF[A-Za-z0-9+/=]+");
    private static final int ENVELOPE = 8;
    private static final int HEAD = 40;

    private HistogramMutations() {}

    /** Another file where there is a histogram in it, else the same one. */
    static byte[] of(byte[] file, SplittableRandom random) {
        String text = new String(file, StandardCharsets.ISO_8859_1);
        Matcher histogram = HISTOGRAM.matcher(text);
        if (!histogram.find(random.nextInt(text.length() + 1)) && !histogram.find(0)) {
            return file;
        }
        try {
            byte[] compressed = Base64.getDecoder().decode(histogram.group());
            byte[] plain = inflated(compressed);
            for (int i = random.nextInt(3); i >= 0 && plain.length > 0; i--) {
                int at = random.nextInt(random.nextBoolean() ? Math.min(HEAD, plain.length) : plain.length);
                plain[at] =
                        random.nextBoolean() ? (byte) random.nextInt() : (byte) (random.nextBoolean() ? 0x7f : 0xff);
            }
            String broken = Base64.getEncoder().encodeToString(deflated(compressed, plain));
            return (text.substring(0, histogram.start()) + broken + text.substring(histogram.end()))
                    .getBytes(StandardCharsets.ISO_8859_1);
        } catch (DataFormatException | IllegalArgumentException | IndexOutOfBoundsException brokenBefore) {
            return file;
        }
    }

    private static byte[] inflated(byte[] compressed) throws DataFormatException {
        Inflater inflater = new Inflater();
        inflater.setInput(compressed, ENVELOPE, compressed.length - ENVELOPE);
        byte[] plain = new byte[100_000];
        int length = inflater.inflate(plain);
        inflater.end();
        return java.util.Arrays.copyOf(plain, length);
    }

    private static byte[] deflated(byte[] envelope, byte[] plain) {
        Deflater deflater = new Deflater();
        deflater.setInput(plain);
        deflater.finish();
        byte[] buffer = new byte[plain.length + 100];
        int length = deflater.deflate(buffer);
        deflater.end();
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        whole.write(envelope, 0, 4);
        whole.writeBytes(ByteBuffer.allocate(4).putInt(length).array());
        whole.write(buffer, 0, length);
        return whole.toByteArray();
    }
}
