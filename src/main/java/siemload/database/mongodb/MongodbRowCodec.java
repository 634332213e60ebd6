package siemload.database.mongodb;

import org.bson.BsonReader;
import org.bson.BsonType;
import org.bson.BsonWriter;
import org.bson.codecs.Codec;
import org.bson.codecs.DecoderContext;
import org.bson.codecs.EncoderContext;

/** Reads the three keys of {@code rows.json} straight from the wire. */
final class MongodbRowCodec implements Codec<MongodbRow> {
    private static final byte[] NONE = {};

    @Override
    public Class<MongodbRow> getEncoderClass() {
        return MongodbRow.class;
    }

    @Override
    public MongodbRow decode(BsonReader reader, DecoderContext context) {
        String id = "";
        long detectMicros = 0;
        byte[] idea = NONE;
        reader.readStartDocument();
        while (reader.readBsonType() != BsonType.END_OF_DOCUMENT) {
            switch (reader.readName()) {
                case "_id" -> id = reader.readString();
                case "DetectMicros" -> detectMicros = reader.readInt64();
                case "Event" -> idea = reader.readBinaryData().getData();
                default -> reader.skipValue();
            }
        }
        reader.readEndDocument();
        return new MongodbRow(id, detectMicros, idea);
    }

    @Override
    public void encode(BsonWriter writer, MongodbRow row, EncoderContext context) {
        throw new UnsupportedOperationException("events are written as " + MongodbEvent.class);
    }
}
