package siemload.config;

/** Where a value comes from; its text is shown in messages, by {@code validate} and in {@code run.json}. Immutable. */
public sealed interface Origin {

    /**
     * A place in a file.
     *
     * @param file the file as the user knows it
     * @param line 1 for the first line
     * @param column 1 for the first column
     */
    record InFile(String file, int line, int column) implements Origin {
        @Override
        public String toString() {
            return file + ":" + line + ":" + column;
        }
    }

    /** A file as a whole, as the user knows it, or an argument of a command, by its name in the help. */
    record WholeFile(String file) implements Origin {
        @Override
        public String toString() {
            return file;
        }
    }

    /** An option of a {@code siemload} command, by its name without the dashes. */
    record Option(String name) implements Origin {
        @Override
        public String toString() {
            return "--" + name;
        }
    }

    /** A system property of the Java process or of Maven, by its name: {@code -Dname} for a command, too. */
    record SystemProperty(String name) implements Origin {
        @Override
        public String toString() {
            return "-D" + name;
        }
    }

    /** A variable of the environment, by its name. */
    record Environment(String name) implements Origin {
        @Override
        public String toString() {
            return name;
        }
    }

    /** The default: neither file, environment nor option gave a value. */
    record Default() implements Origin {
        @Override
        public String toString() {
            return "default";
        }
    }
}
