package siemload.database.mongodb;

import java.time.Instant;
import java.util.Collection;
import org.bson.BsonValue;
import siemload.database.TargetException;

/** A value for a parameter, from the answer of a command. Stateless. */
final class AskedValue {
    private static final double MOST_WHOLE = 1L << 53;

    private AskedValue() {}

    /**
     * As text, in the form in which Extended JSON has it within its type.
     *
     * @param row a value, or a document with it as its only field
     * @param number of the row, from 1
     * @throws TargetException if it is none of a type that a parameter can have
     */
    static String text(BsonValue row, int number, String query) {
        if (!row.isDocument()) {
            return plain(row, number, query);
        }
        Collection<BsonValue> values = row.asDocument().values();
        if (values.size() != 1) {
            throw new TargetException("a query for values gives " + values.size() + " fields in row " + number
                    + " (needed: one; _id is left out by projection: {_id: 0}): " + query);
        }
        return plain(values.iterator().next(), number, query);
    }

    private static String plain(BsonValue value, int number, String query) {
        return switch (value.getBsonType()) {
            case STRING -> value.asString().getValue();
            case INT32 -> Integer.toString(value.asInt32().getValue());
            case INT64 -> Long.toString(value.asInt64().getValue());
            case DOUBLE -> text(value.asDouble().getValue());
            case DECIMAL128 -> value.asDecimal128().getValue().toString();
            case DATE_TIME ->
                Instant.ofEpochMilli(value.asDateTime().getValue()).toString();
            case OBJECT_ID -> value.asObjectId().getValue().toHexString();
            default ->
                throw new TargetException("a query for values gives a value of type " + value.getBsonType() + " in row "
                        + number + " (needed: a string, a number, a date or an ObjectId): " + query);
        };
    }

    /** Many clients store whole numbers as doubles, and the server takes both for the same. */
    private static String text(double number) {
        boolean isWhole = Math.rint(number) == number && Math.abs(number) <= MOST_WHOLE;
        return isWhole ? Long.toString((long) number) : Double.toString(number);
    }
}
