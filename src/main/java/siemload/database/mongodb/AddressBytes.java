package siemload.database.mongodb;

import java.nio.ByteBuffer;
import org.bson.BsonBinary;
import siemload.event.AddressRange;
import siemload.event.AddressRange.Family;

/**
 * Addresses as binary values: 4 bytes for IPv4, 16 for IPv6, the highest first. MongoDB compares binary values by their
 * length, then byte by byte without a sign, so that addresses are in order and the families never overlap.
 */
final class AddressBytes {
    private AddressBytes() {}

    static BsonBinary first(AddressRange range) {
        return binary(range.family(), range.firstHigh(), range.firstLow());
    }

    static BsonBinary last(AddressRange range) {
        return binary(range.family(), range.lastHigh(), range.lastLow());
    }

    private static BsonBinary binary(Family family, long high, long low) {
        byte[] bytes = family == Family.IP4
                ? ByteBuffer.allocate(Integer.BYTES).putInt((int) low).array()
                : ByteBuffer.allocate(2 * Long.BYTES).putLong(high).putLong(low).array();
        return new BsonBinary(bytes);
    }
}
