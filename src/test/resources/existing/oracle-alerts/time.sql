e.raised
