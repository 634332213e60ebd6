package siemload.cli;

import picocli.CommandLine.IVersionProvider;

/** What {@code --version} says. */
final class Version implements IVersionProvider {

    @Override
    public String[] getVersion() {
        return new String[] {"siemload " + text()};
    }

    /** The version of this program. */
    static String text() {
        String version = Main.class.getPackage().getImplementationVersion();
        return version == null ? "from a checkout" : version;
    }
}
