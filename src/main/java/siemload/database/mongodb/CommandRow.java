package siemload.database.mongodb;

import java.util.Arrays;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;
import siemload.database.AskingSession;

/** A row of a command's answer. */
record CommandRow(BsonValue value) implements AskingSession.AnsweredRow {
    private static final BsonDocumentCodec CODEC = new BsonDocumentCodec();

    /** What {@link #idea} gave, for people. */
    static String text(byte[] contents) {
        return new RawBsonDocument(contents).toJson();
    }

    /** As the server sends it, in BSON; what is no document as the only field of one. */
    @Override
    public byte[] idea() {
        RawBsonDocument raw = value instanceof RawBsonDocument received
                ? received
                : new RawBsonDocument(value.isDocument() ? value.asDocument() : new BsonDocument("", value), CODEC);
        return Arrays.copyOfRange(
                raw.getBackingArray(), raw.getByteOffset(), raw.getByteOffset() + raw.getByteLength());
    }
}
