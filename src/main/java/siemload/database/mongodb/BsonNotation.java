package siemload.database.mongodb;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.bson.BsonDateTime;
import org.bson.Document;
import org.bson.types.Binary;
import siemload.database.layout.Blocks;
import siemload.database.layout.JsonTemplate;
import siemload.event.AddressRange;

/** What JSON becomes in BSON: objects are {@link Document}s, addresses and JSON bytes, times in milliseconds. */
enum BsonNotation implements JsonTemplate.Notation {
    NOTATION;

    private static final Blocks COMMANDS = Blocks.ofResource("/siemload/database/mongodb/server", Blocks.Syntax.JSON);
    private static final ObjectMapper JSON = JsonMapper.builder()
            .disable(SerializationFeature.FAIL_ON_EMPTY_BEANS)
            .build();

    @Override
    public Map<String, Object> object() {
        return new Document();
    }

    @Override
    public Object address(AddressRange single) {
        return new Binary(single.firstBytes());
    }

    @Override
    public Object time(Instant time) {
        return new BsonDateTime(time.toEpochMilli());
    }

    @Override
    public Object json(byte[] utf8) {
        return new Binary(utf8);
    }

    @Override
    public String pattern(String text) {
        return Pattern.quote(text);
    }

    /** A list that is known to be one of documents. */
    static List<Document> documents(Object list) {
        return ((List<?>) list).stream().map(Document.class::cast).toList();
    }

    /** The stages of one of siemload's own commands for this database, with its values. */
    static List<Document> command(String block, Map<String, ?> values) {
        return documents(
                JsonTemplate.read(COMMANDS.find(block).orElseThrow(), NOTATION).value(values::get));
    }

    /** A number; 0 if there is none: servers leave out what they do not know. */
    static long number(Document document, String key) {
        return document.get(key) instanceof Number number ? number.longValue() : 0;
    }

    /** What the server answers, as JSON; times are in milliseconds since 1970. */
    static JsonNode json(Map<String, ?> answer) {
        return JSON.valueToTree(answer);
    }
}
