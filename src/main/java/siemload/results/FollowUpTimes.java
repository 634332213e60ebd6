package siemload.results;

/**
 * What a search took where nothing like it was asked before, and where it followed one that it narrowed: first pages and whole
 * results of the measured phase, in every order. Immutable.
 *
 * @param name of the search
 * @param firsts how many were asked first
 * @param firstMicros response times of those that were asked first
 * @param followUps how many followed
 * @param followUpMicros response times of those that followed
 */
public record FollowUpTimes(
        String name, long firsts, MicrosSummary firstMicros, long followUps, MicrosSummary followUpMicros) {}
