package siemload.event;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ValueNode;
import java.math.BigDecimal;
import java.math.BigInteger;

/**
 * Makes the node of a number that is read again from what is written of it: {@code 40e0} is written as {@code 40}, which is
 * an integer. Stateless.
 */
final class WrittenNumbers extends JsonNodeFactory {
    private static final long serialVersionUID = 1;

    @Override
    public ValueNode numberNode(BigDecimal number) {
        return number != null && number.scale() == 0 ? integer(number.unscaledValue()) : super.numberNode(number);
    }

    /** Of the size that a parser takes. */
    private ValueNode integer(BigInteger number) {
        if (number.bitLength() < Integer.SIZE) {
            return numberNode(number.intValue());
        }
        return number.bitLength() < Long.SIZE ? numberNode(number.longValue()) : numberNode(number);
    }
}
