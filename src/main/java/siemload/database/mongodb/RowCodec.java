package siemload.database.mongodb;

import com.mongodb.MongoClientException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.bson.BsonInvalidOperationException;
import org.bson.BsonReader;
import org.bson.BsonType;
import org.bson.BsonWriter;
import org.bson.codecs.Codec;
import org.bson.codecs.DecoderContext;
import org.bson.codecs.EncoderContext;
import org.bson.json.JsonMode;
import org.bson.json.JsonWriter;
import org.bson.json.JsonWriterSettings;
import siemload.database.RowReader.DetachedRow;
import siemload.database.layout.document.EventText;
import siemload.database.mongodb.layout.MongodbEvent;

/** Reads the three keys of {@code rows.json} straight from the wire. */
final class RowCodec implements Codec<DetachedRow> {
    private static final byte[] NONE = {};
    private static final JsonWriterSettings RELAXED =
            JsonWriterSettings.builder().outputMode(JsonMode.RELAXED).build();

    @Override
    public Class<DetachedRow> getEncoderClass() {
        return DetachedRow.class;
    }

    @Override
    public DetachedRow decode(BsonReader reader, DecoderContext context) {
        try {
            return row(reader);
        } catch (BsonInvalidOperationException other) {
            throw new MongoClientException(
                    "rows.json gives a row in which _id is no string, number or ObjectId, DetectMicros no 64-bit integer, or"
                            + " Event neither bytes nor text nor a document: " + other.getMessage(),
                    other);
        }
    }

    private static DetachedRow row(BsonReader reader) {
        String id = "";
        Instant detectTime = Instant.EPOCH;
        byte[] idea = NONE;
        reader.readStartDocument();
        for (BsonType type = reader.readBsonType(); type != BsonType.END_OF_DOCUMENT; type = reader.readBsonType()) {
            switch (reader.readName()) {
                case "_id" -> id = type == BsonType.STRING ? reader.readString() : id(reader, type);
                case "DetectMicros" -> detectTime = EventText.instant(reader.readInt64());
                case "Event" ->
                    idea = type == BsonType.BINARY ? reader.readBinaryData().getData() : shown(reader, type);
                default -> reader.skipValue();
            }
        }
        reader.readEndDocument();
        return new DetachedRow(id, detectTime, idea);
    }

    private static String id(BsonReader reader, BsonType type) {
        return switch (type) {
            case OBJECT_ID -> reader.readObjectId().toHexString();
            case INT32 -> Integer.toString(reader.readInt32());
            default -> Long.toString(reader.readInt64());
        };
    }

    /** What somebody's documents show of an event. */
    private static byte[] shown(BsonReader reader, BsonType type) {
        if (type != BsonType.DOCUMENT) {
            return reader.readString().getBytes(StandardCharsets.UTF_8);
        }
        StringWriter text = new StringWriter();
        new JsonWriter(text, RELAXED).pipe(reader);
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public void encode(BsonWriter writer, DetachedRow row, EncoderContext context) {
        throw new UnsupportedOperationException("events are written as " + MongodbEvent.class);
    }
}
