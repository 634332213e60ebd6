package siemload.query;

import siemload.config.Choices.Labelled;

/** The kinds of criteria in files of searches. */
public enum CriterionKey implements Labelled {
    /** One address. */
    ADDRESS,
    /** An address from a list. */
    ADDRESSES,
    /** An address of a network or range. */
    RANGE,
    /** A category. */
    CATEGORY,
    /** The name of a node. */
    DETECTOR,
    /** A transport port. */
    PORT,
    /** An address with a transport port on its own side. */
    SERVICE,
    /** The id of an event. */
    ID,
    /** A part of the description. */
    TEXT,
    /** The whole description. */
    DESCRIPTION;

    /** Returns the criterion that an event has this text; only for kinds of texts. */
    public Criterion is(String text) {
        return new Criterion.ValueIs(this, text);
    }

    /** Returns whether criteria of this kind may be restricted to one side of events. */
    boolean hasSides() {
        return this == ADDRESS || this == ADDRESSES || this == RANGE || this == PORT;
    }
}
