package siemload.dataset.recording;

/** Hashes of event ids: two of them make 128 bits. Stateless. */
final class IdHash {
    /** This factor and the next are those of the finalizer of SplitMix64, by Steele, Lea and Flood. */
    private static final long FIRST_FACTOR = 0xBF58_476D_1CE4_E5B9L;

    private static final long SECOND_FACTOR = 0x94D0_49BB_1331_11EBL;

    private IdHash() {}

    static long high(String id) {
        return hash(id, 0x9E37_79B9_7F4A_7C15L);
    }

    static long low(String id) {
        return hash(id, 0xD1B5_4A32_D192_ED03L);
    }

    private static long hash(String id, long seed) {
        long hash = seed;
        for (int i = 0; i < id.length(); i++) {
            hash = (hash ^ id.charAt(i)) * FIRST_FACTOR;
            hash ^= hash >>> 32;
        }
        hash = (hash ^ hash >>> 27) * SECOND_FACTOR;
        return hash ^ hash >>> 31;
    }
}
