package siemload.cli;

import picocli.CommandLine.IVersionProvider;

/** What {@code --version} says. */
final class Version implements IVersionProvider {

    @Override
    public String[] getVersion() {
        String version = Main.class.getPackage().getImplementationVersion();
        return new String[] {"siemload " + (version == null ? "from a checkout" : version)};
    }
}
