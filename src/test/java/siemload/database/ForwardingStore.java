package siemload.database;

import java.time.Duration;
import java.util.Collection;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import siemload.database.Store.DayRemoval;
import siemload.database.Store.EventSink;
import siemload.database.Store.Maintenance;
import siemload.database.Store.StoreKind;
import siemload.database.Store.Trends;
import siemload.database.Target.ServerClock;
import siemload.query.Window;

/** A store that is another one but for what it does itself: whatever it does not say goes to {@link #store}. */
public interface ForwardingStore extends Store {
    /** The one that does the work. */
    Store store();

    @Override
    default StoreKind kind() {
        return store().kind();
    }

    @Override
    default SearchSession openSession() {
        return store().openSession();
    }

    @Override
    default EventSink openSink() {
        return store().openSink();
    }

    @Override
    default Optional<Counters> openCounters() {
        return store().openCounters();
    }

    @Override
    default void makeRoom(Window times) {
        store().makeRoom(times);
    }

    @Override
    default Optional<ServerClock> openClock() {
        return store().openClock();
    }

    @Override
    default Optional<String> nameToJoin() {
        return store().nameToJoin();
    }

    @Override
    default long events() {
        return store().events();
    }

    @Override
    default Presence presenceOf(Collection<String> ids) {
        return store().presenceOf(ids);
    }

    @Override
    default SortedMap<String, Long> relationBytes() {
        return store().relationBytes();
    }

    @Override
    default void serverRestarted() {
        store().serverRestarted();
    }

    @Override
    default Optional<Maintenance> maintenance() {
        return store().maintenance();
    }

    @Override
    default Optional<OwnTransactions> transactions() {
        return store().transactions();
    }

    @Override
    default Optional<DayRemoval> dayRemoval() {
        return store().dayRemoval();
    }

    @Override
    default Optional<Trends> trends() {
        return store().trends();
    }

    @Override
    default OptionalLong runningFor(Duration atLeast) {
        return store().runningFor(atLeast);
    }

    @Override
    default OptionalLong rowsWritten() {
        return store().rowsWritten();
    }

    @Override
    default void close() {
        store().close();
    }
}
