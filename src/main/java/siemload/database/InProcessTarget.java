package siemload.database;

/** Connections to what lives in this Java process, which changes with siemload alone. */
public interface InProcessTarget extends Target {
    @Override
    default String version() {
        return "1";
    }

    @Override
    default Transport transport() {
        return Transport.IN_PROCESS;
    }
}
