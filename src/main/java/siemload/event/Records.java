package siemload.event;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonStreamContext;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import java.io.CharConversionException;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.zip.ZipException;

/**
 * The records of a file of events, plain or gzip, one at a time in a reused buffer. Each line is a record, unless the first value shows
 * another layout of JSON: objects over several lines, an array of objects, or an object that wraps an array of objects ({@code Records} of
 * CloudTrail, {@code hits.hits} of Elasticsearch, or the only key). In exports and bulk files of Elasticsearch, a record is the object
 * under {@code _source}, or the object after the line with the action. A record longer than a mebibyte is left out, to limit memory. Not
 * thread-safe.
 */
public final class Records extends ByteLines {
    /** The longest record in bytes, about a thousand times as long as a usual event; its JSON tree takes about 50 MB. */
    public static final int LONGEST = 1 << 20;

    /** The parser only finds where values begin and end; invalid records are refused when they are read as events. */
    private static final JsonFactory JSON = JsonFactory.builder()
            .enable(JsonReadFeature.ALLOW_UNESCAPED_CONTROL_CHARS)
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(100_000)
                    .maxNumberLength(LONGEST)
                    .maxNameLength(LONGEST)
                    .build())
            .build();

    private static final Set<String> WRAPPERS = Set.of("Records", "records");
    private static final Set<String> ACTIONS = Set.of("index", "create", "update", "delete");

    private final Layout layout;
    private final JsonParser parser;
    private long line;
    /** If records are not lines, the buffer has this many bytes that the parser has read, from the position {@link #base} on. */
    private int size;

    private long base;
    /** True if no array of records was found yet in the value at the top level. */
    private boolean isEmpty;

    private Records(InputStream in, Layout layout) throws IOException {
        super(in, LONGEST);
        this.layout = layout;
        this.parser = JSON.createParser(layout.isLines ? InputStream.nullInputStream() : new Kept(unpacked(in)));
    }

    /** Opens a file; throws {@link ByteLines.ForeignFileException} if its first bytes show that it holds no records. */
    public static Records open(Path file) throws IOException {
        Layout layout = Layout.of(file);
        return new Records(Files.newInputStream(file), layout);
    }

    /**
     * Moves to the next record; returns false at the end. An exception means that reading failed on the line {@link #line}, after all
     * earlier records were read.
     */
    @Override
    public boolean next() throws IOException {
        do {
            line += layout.isLines ? 1 : 0;
            if (!(layout.isLines ? super.next() : nextValue())) {
                return false;
            }
        } while (layout.isWrapped && !tooLong && !unwrap());
        return true;
    }

    /** The number of the line on which the record begins, from 1. */
    public long line() {
        return line;
    }

    @Override
    public void close() throws IOException {
        parser.close();
        super.close();
    }

    private boolean nextValue() throws IOException {
        try {
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                if (hasRead(token)) {
                    long until = parser.currentLocation().getByteOffset();
                    tooLong = until - position > LONGEST || position < base;
                    start = tooLong ? 0 : (int) (position - base);
                    length = tooLong ? 0 : (int) (until - position);
                    return true;
                }
            }
            return false;
        } catch (IOException broken) {
            line = parser.currentLocation().getLineNr();
            throw broken;
        }
    }

    /** Reads a record to its end; returns false if no record is at this token. */
    private boolean hasRead(JsonToken token) throws IOException {
        JsonStreamContext context = parser.getParsingContext();
        boolean isBegin = token.isStructStart();
        JsonStreamContext parent = isBegin ? context.getParent() : context;
        boolean isTop = parent.inRoot();
        boolean hasPath = !layout.path.isEmpty();
        if (isTop && isBegin) {
            begin();
            isEmpty = true;
        }
        isEmpty &= !(isBegin && context.inArray() && isAt(context.getParent()));
        boolean isRecord = isTop
                ? token != (hasPath ? JsonToken.START_OBJECT : JsonToken.START_ARRAY)
                : parent.inArray() && (token.isScalarValue() || isBegin) && isAt(parent.getParent());
        if (isRecord && !token.isStructEnd()) {
            begin();
            parser.skipChildren();
            return true;
        }
        // An object without an array of records becomes a record, which the reader of events refuses.
        return isTop && token == JsonToken.END_OBJECT && isEmpty && hasPath;
    }

    private void begin() {
        position = parser.currentTokenLocation().getByteOffset();
        line = parser.currentTokenLocation().getLineNr();
    }

    /** Returns whether the path of the array of records ends in this context. */
    private boolean isAt(JsonStreamContext parent) {
        JsonStreamContext at = parent;
        for (int i = layout.path.size() - 1; i >= 0; i--) {
            if (!at.inObject() || !layout.path.get(i).equals(at.getCurrentName())) {
                return false;
            }
            at = at.getParent();
        }
        return at.inRoot();
    }

    /** Keeps the bytes that the parser reads, as far as they may belong to the record. */
    private final class Kept extends FilterInputStream {
        Kept(InputStream in) {
            super(in);
        }

        @Override
        public int read(byte[] bytes, int offset, int most) throws IOException {
            int read = super.read(bytes, offset, most);
            int count = Math.max(0, read);
            if (size + count > buffer.length) {
                int before = (int) Math.max(0, Math.min(size, position - base));
                int unused = size - before > LONGEST ? size : before;
                System.arraycopy(buffer, unused, buffer, 0, size - unused);
                base += unused;
                size -= unused;
                while (size + count > buffer.length) {
                    buffer = Arrays.copyOf(buffer, 2 * buffer.length);
                }
            }
            System.arraycopy(bytes, offset, buffer, size, count);
            size += count;
            return read;
        }
    }

    /** Narrows the record to the event that Elasticsearch wrapped in it; returns false for an action, which is about the next record. */
    private boolean unwrap() {
        try (JsonParser parser = JSON.createParser(buffer, start, length)) {
            int keys = 0;
            boolean isAction = false;
            parser.nextToken();
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                String key = parser.currentName();
                boolean isObject = parser.nextToken() == JsonToken.START_OBJECT;
                boolean isEvent = isObject && (key.equals("_source") || (keys == 0 && key.equals("doc")));
                isAction = isObject && keys == 0 && ACTIONS.contains(key);
                keys++;
                int begin = (int) parser.currentTokenLocation().getByteOffset();
                parser.skipChildren();
                if (isEvent) {
                    length = (int) parser.currentLocation().getByteOffset() - begin;
                    start += begin;
                    return true;
                }
            }
            return !isAction;
        } catch (IOException noJson) {
            return true; // The fault is reported when the record is read as an event.
        }
    }

    /**
     * The layout of the records in a file, found from the first value. Immutable.
     *
     * @param isLines whether each record is on its own line
     * @param path the keys that lead to the array of records; empty if records are values at the top level or in an array there
     * @param isWrapped whether Elasticsearch wrapped the events in objects, or put actions between the events
     */
    private record Layout(boolean isLines, List<String> path, boolean isWrapped) {
        private static final Layout LINES = new Layout(true, List.of(), false);
        private static final Layout OBJECTS = new Layout(false, List.of(), false);

        static Layout of(Path file) throws IOException {
            try (InputStream in = unpacked(Files.newInputStream(file));
                    JsonParser parser = JSON.createParser(in)) {
                return of(parser);
            } catch (EOFException | ZipException | CharConversionException damaged) {
                return LINES; // The damage is reported when the lines are read.
            }
        }

        private static Layout of(JsonParser parser) throws IOException {
            int line = 0;
            try {
                JsonToken first = parser.nextToken();
                line = parser.currentTokenLocation().getLineNr();
                if (first == JsonToken.START_ARRAY && parser.nextToken() == JsonToken.START_OBJECT) {
                    return new Layout(false, List.of(), ofObject(parser).isWrapped);
                }
                if (first != JsonToken.START_OBJECT) {
                    return LINES;
                }
                Layout found = ofObject(parser);
                boolean isOneLine = parser.currentLocation().getLineNr() == line
                        && (parser.currentToken() != JsonToken.END_OBJECT || isNextBelow(parser, line));
                return found.path.isEmpty() ? new Layout(isOneLine, found.path, found.isWrapped) : found;
            } catch (JsonProcessingException broken) {
                // The file had no value, or the fault is at the start of a line because the line before was cut.
                JsonLocation at = broken.getLocation();
                return line == 0 || at == null || at.getLineNr() == line || at.getColumnNr() <= 2 ? LINES : OBJECTS;
            }
        }

        private static boolean isNextBelow(JsonParser parser, int line) throws IOException {
            try {
                return parser.nextToken() == null
                        || parser.currentTokenLocation().getLineNr() > line;
            } catch (JsonProcessingException noJson) {
                return true;
            }
        }

        /** Finds whether an object wraps an array of objects, or an event. Reads the object to its end unless the object is too long. */
        private static Layout ofObject(JsonParser parser) throws IOException {
            int depth = parser.getParsingContext().getNestingDepth();
            List<String> array = List.of();
            int keys = 0;
            boolean isHit = false;
            boolean isWrapped = false;
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                String key = parser.currentName();
                JsonToken value = parser.nextToken();
                keys++;
                isHit |= key.equals("_index") || key.equals("_id");
                isWrapped |= value == JsonToken.START_OBJECT
                        && ((isHit && key.equals("_source")) || (keys == 1 && ACTIONS.contains(key)));
                boolean isOfSearch = value == JsonToken.START_OBJECT && key.equals("hits");
                while (isOfSearch
                        && parser.nextToken() == JsonToken.FIELD_NAME
                        && !parser.currentName().equals("hits")) {
                    parser.nextToken();
                    parser.skipChildren();
                }
                value = isOfSearch && parser.currentToken() == JsonToken.FIELD_NAME ? parser.nextToken() : value;
                if (value == JsonToken.START_ARRAY && parser.nextToken() == JsonToken.START_OBJECT) {
                    array = isOfSearch ? List.of(key, key) : List.of(key);
                    if (isOfSearch || WRAPPERS.contains(key)) {
                        return new Layout(false, array, isOfSearch || ofObject(parser).isWrapped);
                    }
                }
                while (parser.getParsingContext().getNestingDepth() > depth) {
                    if (parser.currentLocation().getByteOffset() > LONGEST) {
                        return new Layout(false, keys == 1 ? array : List.of(), isWrapped);
                    }
                    parser.nextToken();
                }
            }
            return new Layout(false, keys == 1 ? array : List.of(), isWrapped);
        }
    }
}
