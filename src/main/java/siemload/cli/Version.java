package siemload.cli;

import java.util.Map;
import picocli.CommandLine.IVersionProvider;
import siemload.measure.environment.ProgramFacts;

/** What {@code --version} says. */
final class Version implements IVersionProvider {
    private static final int SHORT = 12;

    @Override
    public String[] getVersion() {
        Map<String, String> facts = ProgramFacts.read(new ProcessHost().home());
        String revision = facts.getOrDefault("revision", "");
        String commit =
                revision.isEmpty() ? "" : ", commit " + revision.substring(0, Math.min(SHORT, revision.length()));
        String changed = "yes".equals(facts.get("changed")) ? " with changes" : "";
        return new String[] {"siemload " + text() + commit + changed};
    }

    /** The version of this program. */
    static String text() {
        String version = Main.class.getPackage().getImplementationVersion();
        return version == null ? "from a checkout" : version;
    }
}
