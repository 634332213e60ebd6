package siemload.database.mongodb.layout;

import java.time.Instant;
import java.util.Objects;
import org.bson.BsonBinary;
import org.bson.BsonValue;
import org.bson.BsonWriter;
import org.bson.codecs.BsonValueCodec;
import org.bson.codecs.EncoderContext;
import org.jspecify.annotations.Nullable;
import siemload.database.layout.document.DocumentWriter;
import siemload.event.AddressRange;

/** Writes documents as BSON: addresses and JSON as bytes, times in milliseconds. Used by one thread. */
record BsonEventWriter(BsonWriter bson) implements DocumentWriter {
    private static final BsonValueCodec CONSTANTS = new BsonValueCodec();
    private static final EncoderContext CONTEXT = EncoderContext.builder().build();

    @Override
    public void startObject() {
        bson.writeStartDocument();
    }

    @Override
    public void name(String key) {
        bson.writeName(key);
    }

    @Override
    public void endObject() {
        bson.writeEndDocument();
    }

    @Override
    public void startList() {
        bson.writeStartArray();
    }

    @Override
    public void endList() {
        bson.writeEndArray();
    }

    @Override
    public void text(String text) {
        bson.writeString(text);
    }

    @Override
    public void number(long number) {
        bson.writeInt64(number);
    }

    @Override
    public void smallNumber(int number) {
        bson.writeInt32(number);
    }

    @Override
    public void flag(boolean flag) {
        bson.writeBoolean(flag);
    }

    @Override
    public void time(Instant time) {
        bson.writeDateTime(time.toEpochMilli());
    }

    @Override
    public void firstAddress(AddressRange range) {
        bson.writeBinaryData(new BsonBinary(range.firstBytes()));
    }

    @Override
    public void lastAddress(AddressRange range) {
        bson.writeBinaryData(new BsonBinary(range.lastBytes()));
    }

    @Override
    public void json(byte[] utf8) {
        bson.writeBinaryData(new BsonBinary(utf8));
    }

    @Override
    public void constant(@Nullable Object constant) {
        CONSTANTS.encode(bson, (BsonValue) Objects.requireNonNull(constant), CONTEXT);
    }
}
