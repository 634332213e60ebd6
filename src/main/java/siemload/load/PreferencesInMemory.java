package siemload.load;

import java.util.Map;
import java.util.prefs.AbstractPreferences;
import java.util.prefs.Preferences;
import java.util.prefs.PreferencesFactory;
import org.jspecify.annotations.Nullable;

/**
 * Java's preferences, found by its {@code ServiceLoader}: they are in no file, which would have to be writable and would outlive
 * the process, and tell Gatling that it need not ask the internet for its newest version before the year 2100. Nothing can be changed
 * in them. Thread-safe.
 */
public final class PreferencesInMemory implements PreferencesFactory {
    private final Preferences root = new Node(null, "");

    /** For the {@code ServiceLoader}. */
    public PreferencesInMemory() {}

    @Override
    public Preferences userRoot() {
        return root;
    }

    @Override
    public Preferences systemRoot() {
        return root;
    }

    private static final class Node extends AbstractPreferences {
        /** Of {@code /io/gatling/latestVersion}; nobody asks for others. */
        private static final Map<String, String> VALUES =
                Map.of("lastCheckSuccess", "false", "lastCheckTimestamp", "4102444800000");

        Node(@Nullable Node parent, String name) {
            super(parent, name);
        }

        @Override
        protected @Nullable String getSpi(String key) {
            return VALUES.get(key);
        }

        @Override
        protected String[] keysSpi() {
            return VALUES.keySet().toArray(String[]::new);
        }

        @Override
        protected String[] childrenNamesSpi() {
            return new String[0]; // The superclass knows those that it was given.
        }

        @Override
        protected AbstractPreferences childSpi(String name) {
            return new Node(this, name);
        }

        @Override
        protected void putSpi(String key, String value) {}

        @Override
        protected void removeSpi(String key) {}

        @Override
        protected void removeNodeSpi() {}

        @Override
        protected void syncSpi() {}

        @Override
        protected void flushSpi() {}
    }
}
