package siemload.measure.monitor;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the text format 0.0.4 by which programs tell Prometheus their metrics, as its documentation describes it: comments, empty lines,
 * and samples of a name, labels in braces, a value and perhaps the time in milliseconds. Whatever is not of this form is refused
 * with its line. Stateless and thread-safe.
 */
final class PrometheusText {
    private static final Pattern NAME = Pattern.compile("[a-zA-Z_:][a-zA-Z0-9_:]*");
    private static final Pattern LABEL = Pattern.compile("[a-zA-Z_][a-zA-Z0-9_]*");
    private static final Pattern VALUE =
            Pattern.compile("[+-]?(?:\\d+\\.?\\d*(?:[eE][+-]?\\d+)?|\\.\\d+(?:[eE][+-]?\\d+)?|Inf)|NaN");
    private static final Pattern TIME = Pattern.compile("-?\\d+");
    private static final int SHOWN_CHARACTERS = 60;

    private final String line;
    private final int number;
    private int at;

    private PrometheusText(String line, int number) {
        this.line = line;
        this.number = number;
    }

    /** One sample of a metric; its time is not told. */
    record Sample(String name, Map<String, String> labels, double value) {
        Sample {
            labels = Map.copyOf(labels);
        }

        /** The value of a label; empty where it has none, which means the same. */
        String label(String label) {
            return labels.getOrDefault(label, "");
        }
    }

    /**
     * Reads all samples, in their order.
     *
     * @throws IllegalArgumentException if a line is none of the format
     */
    static List<Sample> read(String text) {
        List<Sample> samples = new ArrayList<>();
        String[] lines = text.split("\n", -1);
        for (int i = 0; i < lines.length; i++) {
            PrometheusText line = new PrometheusText(lines[i], i + 1);
            line.skipBlanks();
            if (!line.isAtEnd() && line.next() != '#') {
                samples.add(line.sample());
            }
        }
        return samples;
    }

    private Sample sample() {
        String name = take(NAME, "the name of a metric");
        skipBlanks();
        Map<String, String> labels = isAtEnd() || next() != '{' ? Map.of() : labels();
        skipBlanks();
        double value = value(take(VALUE, "a value"));
        requireBlankOrEnd();
        skipBlanks();
        if (!isAtEnd()) {
            String unused = take(TIME, "a time in milliseconds, or the end of the line");
            requireBlankOrEnd();
            skipBlanks();
        }
        if (!isAtEnd()) {
            throw wrong("the end of the line");
        }
        return new Sample(name, labels, value);
    }

    private Map<String, String> labels() {
        Map<String, String> labels = new LinkedHashMap<>();
        require('{');
        skipBlanks();
        while (isAtEnd() || next() != '}') {
            String label = take(LABEL, "a label, or }");
            skipBlanks();
            require('=');
            skipBlanks();
            if (labels.put(label, quoted()) != null) {
                throw wrong("each label once, and not '" + label + "' again");
            }
            skipBlanks();
            if (isAtEnd() || (next() != ',' && next() != '}')) {
                throw wrong(", or }");
            }
            if (next() == ',') {
                at++;
                skipBlanks();
            }
        }
        require('}');
        return labels;
    }

    /** A text in quotes, in which backslashes stand before backslashes, quotes and the n of a line feed. */
    private String quoted() {
        require('"');
        StringBuilder text = new StringBuilder();
        while (!isAtEnd() && next() != '"') {
            char character = line.charAt(at++);
            text.append(character == '\\' ? escaped() : character);
        }
        require('"');
        return text.toString();
    }

    private char escaped() {
        if (isAtEnd() || "\\\"n".indexOf(next()) < 0) {
            throw wrong("\\, \" or n behind a \\");
        }
        char character = line.charAt(at++);
        return character == 'n' ? '\n' : character;
    }

    private static double value(String text) {
        return text.endsWith("Inf")
                ? text.startsWith("-") ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY
                : Double.parseDouble(text);
    }

    private String take(Pattern pattern, String what) {
        Matcher matcher = pattern.matcher(line).region(at, line.length());
        if (!matcher.lookingAt()) {
            throw wrong(what);
        }
        at = matcher.end();
        return matcher.group();
    }

    private void require(char expected) {
        if (isAtEnd() || next() != expected) {
            throw wrong(String.valueOf(expected));
        }
        at++;
    }

    private void requireBlankOrEnd() {
        if (!isAtEnd() && !isBlank(next())) {
            throw wrong("a blank, or the end of the line");
        }
    }

    private void skipBlanks() {
        while (!isAtEnd() && isBlank(next())) {
            at++;
        }
    }

    /** A carriage return at the end of a line is let pass. */
    private static boolean isBlank(char character) {
        return character == ' ' || character == '\t' || character == '\r';
    }

    private boolean isAtEnd() {
        return at >= line.length();
    }

    private char next() {
        return line.charAt(at);
    }

    private IllegalArgumentException wrong(String expected) {
        String found = line.substring(at, Math.min(line.length(), at + SHOWN_CHARACTERS))
                .replaceAll("\\p{Cntrl}", " ");
        return new IllegalArgumentException("line " + number + ", character " + (at + 1) + ": '" + found
                + "' is not what was expected there: " + expected);
    }
}
