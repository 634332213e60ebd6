/**
 * Recorded events of any number. In: files of events. Out: a {@link siemload.dataset.recording.Recording}, whose events are in
 * the order of their detect times, and each is found by its number alone.
 */
@NullMarked
package siemload.dataset.recording;

import org.jspecify.annotations.NullMarked;
