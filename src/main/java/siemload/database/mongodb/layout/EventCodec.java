package siemload.database.mongodb.layout;

import org.bson.BsonReader;
import org.bson.BsonWriter;
import org.bson.codecs.Codec;
import org.bson.codecs.DecoderContext;
import org.bson.codecs.EncoderContext;
import siemload.database.RowReader.DetachedRow;

/** Writes events as documents of a layout. Immutable and thread-safe. */
record EventCodec(DocumentTemplate document) implements Codec<MongodbEvent> {

    @Override
    public Class<MongodbEvent> getEncoderClass() {
        return MongodbEvent.class;
    }

    @Override
    public void encode(BsonWriter writer, MongodbEvent event, EncoderContext context) {
        document.write(writer, event);
    }

    @Override
    public MongodbEvent decode(BsonReader reader, DecoderContext context) {
        throw new UnsupportedOperationException("results are read as " + DetachedRow.class);
    }
}
