package siemload.database.mongodb.querylog;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.zip.ZipException;
import siemload.database.NumberedLines;
import siemload.database.QueryLogListener;
import siemload.event.UnpackedBytes;

/** The documents of one file, one after the other. What is none is told to the listener. Not thread-safe. */
interface OperationRecords extends Closeable {
    ObjectMapper JSON = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxStringLength(NumberedLines.LONGEST)
                            .build())
                    .build())
            .build();

    /**
     * A document.
     *
     * @param line where it begins, from 1
     */
    record Told(long line, JsonNode json) {}

    /** The next document; empty at the end. */
    Optional<Told> next() throws IOException;

    /** Opens a file: an array, which may be one line, or a document a line. */
    static OperationRecords open(Path file, QueryLogListener listener) throws IOException {
        boolean isArray = false;
        try (InputStream bytes = UnpackedBytes.of(Files.newInputStream(file))) {
            int first = bytes.read();
            while (first == ' ' || first == '\n' || first == '\r' || first == '\t') {
                first = bytes.read();
            }
            isArray = first == '[';
        } catch (EOFException | ZipException damaged) {
            // Whoever reads the lines is told so.
        }
        return isArray ? new Elements(file, listener) : new Lines(file, listener);
    }

    /** A document a line. A line that is none is told and read past. */
    final class Lines implements OperationRecords {
        private final NumberedLines lines;
        private final QueryLogListener listener;

        Lines(Path file, QueryLogListener listener) throws IOException {
            this.lines = NumberedLines.open(file, listener);
            this.listener = listener;
        }

        @Override
        public Optional<Told> next() throws IOException {
            for (Optional<NumberedLines.Line> line = lines.next(); line.isPresent(); line = lines.next()) {
                if (line.get().text().isBlank()) {
                    continue;
                }
                try {
                    return Optional.of(new Told(
                            line.get().number(), JSON.readTree(line.get().text())));
                } catch (JsonProcessingException broken) {
                    listener.unreadable(line.get().number(), "the line is no JSON, or ends early");
                }
            }
            return Optional.empty();
        }

        @Override
        public void close() throws IOException {
            lines.close();
        }
    }

    /** The elements of an array. Behind one that is broken nobody can tell where the next one begins. */
    final class Elements implements OperationRecords {
        private final JsonParser tokens;
        private final QueryLogListener listener;
        private boolean ended;

        Elements(Path file, QueryLogListener listener) throws IOException {
            this.tokens = JSON.createParser(UnpackedBytes.of(Files.newInputStream(file)));
            this.listener = listener;
        }

        @Override
        public Optional<Told> next() throws IOException {
            try {
                if (!ended && tokens.currentToken() == null) {
                    tokens.nextToken();
                }
                JsonToken token = ended ? null : tokens.nextToken();
                if (token == null || token == JsonToken.END_ARRAY) {
                    ended = true;
                    return Optional.empty();
                }
                long line = tokens.currentTokenLocation().getLineNr();
                return Optional.of(new Told(line, JSON.readTree(tokens)));
            } catch (EOFException | ZipException damaged) {
                end("the gzip data is damaged or ends early here");
            } catch (JsonProcessingException broken) {
                end("the array is broken here, and is not read on");
            }
            return Optional.empty();
        }

        private void end(String reason) {
            ended = true;
            listener.unreadable(Math.max(1, tokens.currentLocation().getLineNr()), reason);
        }

        @Override
        public void close() throws IOException {
            tokens.close();
        }
    }
}
