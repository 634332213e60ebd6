package siemload.database.mongodb;

import java.time.Instant;
import org.bson.BsonReader;
import org.bson.BsonType;
import org.bson.BsonWriter;
import org.bson.codecs.Codec;
import org.bson.codecs.DecoderContext;
import org.bson.codecs.EncoderContext;
import siemload.database.RowReader.DetachedRow;

/** Reads the three keys of {@code rows.json} straight from the wire. */
final class RowCodec implements Codec<DetachedRow> {
    private static final byte[] NONE = {};

    @Override
    public Class<DetachedRow> getEncoderClass() {
        return DetachedRow.class;
    }

    @Override
    public DetachedRow decode(BsonReader reader, DecoderContext context) {
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
