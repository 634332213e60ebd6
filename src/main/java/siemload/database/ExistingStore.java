package siemload.database;

import java.util.Collection;

/** Data that were there before the run, whosever they are. Its sessions can only read; closing it leaves everything as it is. */
public interface ExistingStore extends Store {

    @Override
    default StoreKind kind() {
        return StoreKind.EXISTING;
    }

    /** Nothing can be written into it. */
    @Override
    default EventSink openSink() {
        throw new TargetException("data that are there already are only read");
    }

    @Override
    default Presence presenceOf(Collection<String> ids) {
        return new Presence(0, 0);
    }
}
