package siemload.load.injector;

import siemload.run.ExitCode;

/** An injector did not do its part, which ends the run. */
final class InjectorFailure extends Exception {
    private static final long serialVersionUID = 1L;

    private final ExitCode code;

    /** @param code how the run ends where it has not begun */
    InjectorFailure(String message, ExitCode code) {
        super(message);
        this.code = code;
    }

    ExitCode code() {
        return code;
    }
}
