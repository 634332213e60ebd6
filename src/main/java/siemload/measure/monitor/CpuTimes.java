package siemload.measure.monitor;

import java.util.function.LongBinaryOperator;
import siemload.results.HostActivity.HostFigures.CpuUse;

/**
 * How one CPU spent its time, in nanoseconds, since some time before the run or in a span of it. Immutable.
 *
 * @param user for programs, also those of low priority
 * @param system for the kernel, with its interrupts
 * @param iowait idle, while somebody waited for a disk
 * @param steal not ours, as the hypervisor gave it to others
 * @param total of everything
 */
record CpuTimes(long user, long system, long iowait, long steal, long total) {
    static final CpuTimes NONE = new CpuTimes(0, 0, 0, 0, 0);

    CpuTimes with(CpuTimes other, LongBinaryOperator each) {
        return new CpuTimes(
                each.applyAsLong(user, other.user),
                each.applyAsLong(system, other.system),
                each.applyAsLong(iowait, other.iowait),
                each.applyAsLong(steal, other.steal),
                each.applyAsLong(total, other.total));
    }

    /** As shares of the time, with four decimals; 0 where no time was counted. */
    CpuUse use() {
        return new CpuUse(ratio(user, total), ratio(system, total), ratio(iowait, total), ratio(steal, total));
    }

    /** Which part of all this time is, 0 to 1, with four decimals; 0 where no time was counted. */
    static double ratio(long nanos, long total) {
        return total <= 0 ? 0 : Math.round(Math.max(0, Math.min(1, (double) nanos / total)) * 1e4) / 1e4;
    }
}
