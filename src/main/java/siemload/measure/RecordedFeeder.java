package siemload.measure;

/**
 * What a {@link FeederRecorder} has taken since an instant, for another one to add.
 *
 * @param lastFailure the server's words about the last batch that was given up; empty where none was
 */
public record RecordedFeeder(Recorded recorded, String lastFailure) {}
