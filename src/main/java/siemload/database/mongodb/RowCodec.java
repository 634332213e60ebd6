package siemload.database.mongodb;

import com.mongodb.MongoClientException;
import java.time.Instant;
import org.bson.BsonInvalidOperationException;
import org.bson.BsonReader;
import org.bson.BsonType;
import org.bson.BsonWriter;
import org.bson.codecs.Codec;
import org.bson.codecs.DecoderContext;
import org.bson.codecs.EncoderContext;
import siemload.database.RowReader.DetachedRow;
import siemload.database.mongodb.layout.EventText;
import siemload.database.mongodb.layout.MongodbEvent;

/** Reads the three keys of {@code rows.json} straight from the wire. */
final class RowCodec implements Codec<DetachedRow> {
    private static final byte[] NONE = {};

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
                    "rows.json gives a row in which _id is no string, DetectMicros no long, or Event no binary: "
                            + other.getMessage(),
                    other);
        }
    }

    private static DetachedRow row(BsonReader reader) {
        String id = "";
        Instant detectTime = Instant.EPOCH;
        byte[] idea = NONE;
        reader.readStartDocument();
        while (reader.readBsonType() != BsonType.END_OF_DOCUMENT) {
            switch (reader.readName()) {
                case "_id" -> id = reader.readString();
                case "DetectMicros" -> detectTime = EventText.instant(reader.readInt64());
                case "Event" -> idea = reader.readBinaryData().getData();
                default -> reader.skipValue();
            }
        }
        reader.readEndDocument();
        return new DetachedRow(id, detectTime, idea);
    }

    @Override
    public void encode(BsonWriter writer, DetachedRow row, EncoderContext context) {
        throw new UnsupportedOperationException("events are written as " + MongodbEvent.class);
    }
}
