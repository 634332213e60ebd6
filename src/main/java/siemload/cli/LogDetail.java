package siemload.cli;

import ch.qos.logback.core.PropertyDefinerBase;

/**
 * How much the log shows of libraries that log what they also throw: everything where the user asked for details,
 * otherwise nothing. Named by {@code logback.xml}.
 */
public final class LogDetail extends PropertyDefinerBase {

    @Override
    public String getPropertyValue() {
        return ProcessHost.verbose() ? "INFO" : "OFF";
    }
}
