package siemload.query;

import java.util.List;
import java.util.Locale;
import siemload.query.Criterion.AddressAndPortOnOneSide;
import siemload.query.Criterion.AddressFigured;
import siemload.query.Criterion.CategoryIs;
import siemload.query.Criterion.DescriptionIs;
import siemload.query.Criterion.DetectorIs;
import siemload.query.Criterion.IdIs;
import siemload.query.Criterion.PortUsed;
import siemload.query.Criterion.TextContains;

/** What a criterion of a search's file looks for, and the criterion that it becomes with a drawn value. */
public enum CriterionKey {
    /** One address. */
    ADDRESS {
        @Override
        Criterion drawn(SearchValues values, EventSide side) {
            return new AddressFigured(values.addresses().subList(0, 1), side);
        }
    },
    /** An address out of a list. */
    ADDRESSES {
        @Override
        Criterion drawn(SearchValues values, EventSide side) {
            return new AddressFigured(values.addresses(), side);
        }
    },
    /** An address of a network or range. */
    RANGE {
        @Override
        Criterion drawn(SearchValues values, EventSide side) {
            return new AddressFigured(List.of(values.range()), side);
        }
    },
    /** A category. */
    CATEGORY {
        @Override
        Criterion drawn(SearchValues values, EventSide side) {
            return new CategoryIs(values.category());
        }
    },
    /** A node, by its name. */
    DETECTOR {
        @Override
        Criterion drawn(SearchValues values, EventSide side) {
            return new DetectorIs(values.detector());
        }
    },
    /** A transport port. */
    PORT {
        @Override
        Criterion drawn(SearchValues values, EventSide side) {
            return new PortUsed(values.port(), side);
        }
    },
    /** An address with a transport port on its own side. */
    SERVICE {
        @Override
        Criterion drawn(SearchValues values, EventSide side) {
            return new AddressAndPortOnOneSide(values.addresses().get(0), values.port());
        }
    },
    /** An event, by its id. */
    ID {
        @Override
        Criterion drawn(SearchValues values, EventSide side) {
            return new IdIs(values.id());
        }
    },
    /** A part of the description. */
    TEXT {
        @Override
        Criterion drawn(SearchValues values, EventSide side) {
            return new TextContains(values.text());
        }
    },
    /** The whole description. */
    DESCRIPTION {
        @Override
        Criterion drawn(SearchValues values, EventSide side) {
            return new DescriptionIs(values.text());
        }
    };

    abstract Criterion drawn(SearchValues values, EventSide side);

    /** Whether it may be looked for on one side of events. */
    boolean hasSides() {
        return this == ADDRESS || this == ADDRESSES || this == RANGE || this == PORT;
    }

    /** Whether a list in its place stands for any of its elements. */
    boolean hasLists() {
        return this == CATEGORY || this == DETECTOR || this == PORT;
    }

    /** Whether a row shows one, which a user then narrows the search by. */
    public boolean isSeenInRows() {
        return this == ADDRESS || this == PORT || this == CATEGORY || this == DETECTOR;
    }

    /** As files write it: lower case. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
