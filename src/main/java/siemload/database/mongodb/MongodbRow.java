package siemload.database.mongodb;

import java.time.Instant;
import org.bson.BsonReader;
import org.bson.BsonType;
import org.bson.BsonWriter;
import org.bson.codecs.DecoderContext;
import org.bson.codecs.EncoderContext;
import siemload.database.RowReader;

/** A document of a result, decoded; nobody changes the array. */
@SuppressWarnings("ArrayRecordComponent") // Never compared.
record MongodbRow(String id, long detectMicros, byte[] idea) implements RowReader.Row {

    @Override
    public Instant detectTime() {
        return EventText.instant(detectMicros);
    }

    /** Reads the three keys of {@code rows.json} straight from the wire. */
    static final class Codec implements org.bson.codecs.Codec<MongodbRow> {
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
}
