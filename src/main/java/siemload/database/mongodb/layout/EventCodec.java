package siemload.database.mongodb.layout;

import org.bson.BsonReader;
import org.bson.BsonWriter;
import org.bson.codecs.Codec;
import org.bson.codecs.DecoderContext;
import org.bson.codecs.EncoderContext;
import siemload.database.RowReader.DetachedRow;
import siemload.database.layout.document.BadTemplateException;
import siemload.database.layout.document.DocumentPart;
import siemload.database.layout.document.DocumentTemplate;
import siemload.database.layout.document.JsonTemplate;

/** Writes events as documents of a layout. Immutable and thread-safe. */
record EventCodec(DocumentTemplate document) implements Codec<MongodbEvent> {
    private static final String ID = "_id";

    /** @throws BadTemplateException if an event has nothing of a name, or the document no {@code _id} by which it is one event's */
    static EventCodec of(JsonTemplate template) {
        if (!DocumentTemplate.contains(DocumentTemplate.keys(template).get(ID), "id")) {
            throw new BadTemplateException(
                    "no {\"$param\": \"id\"} is in _id (needed: the server tells by it that an event is there already)",
                    0,
                    0);
        }
        return new EventCodec(DocumentTemplate.of(template, DocumentPart.EVENT));
    }

    @Override
    public Class<MongodbEvent> getEncoderClass() {
        return MongodbEvent.class;
    }

    @Override
    public void encode(BsonWriter writer, MongodbEvent event, EncoderContext context) {
        document.write(new BsonEventWriter(writer), event);
    }

    @Override
    public MongodbEvent decode(BsonReader reader, DecoderContext context) {
        throw new UnsupportedOperationException("results are read as " + DetachedRow.class);
    }
}
