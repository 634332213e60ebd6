package siemload.target;

/**
 * What a container that is to run a server gets. The text form never shows the password. Immutable.
 *
 * @param password the administrator's password, made for this one start: letters and digits, 29 of them, a letter first
 * @param memoryBytes the limit of its memory, of which the server should use what an expert would let it use
 * @param cpus the limit of its processors
 * @param sessions how many connections the server must accept at once
 */
public record ContainerOptions(String password, long memoryBytes, double cpus, int sessions) {

    @Override
    public String toString() {
        return "ContainerOptions[memoryBytes=" + memoryBytes + ", cpus=" + cpus + ", sessions=" + sessions + "]";
    }
}
